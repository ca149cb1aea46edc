import csv
import sys
import warnings

from PIL import Image, ImageFile

# ruleid: no-unbounded-images
Image.MAX_IMAGE_PIXELS = None
# ruleid: no-unbounded-images
ImageFile.LOAD_TRUNCATED_IMAGES = True
# ruleid: no-unbounded-images
warnings.simplefilter("ignore", Image.DecompressionBombWarning)
# ruleid: no-unbounded-images
csv.field_size_limit(sys.maxsize)

# ok: no-unbounded-images
picture = Image.open("a.png")
# ok: no-unbounded-images
picture.thumbnail((2000, 2000))
# ok: no-unbounded-images
warnings.simplefilter("ignore", FutureWarning)
