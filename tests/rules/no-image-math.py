# ruleid: no-image-math
from PIL import ImageMath

# ruleid: no-image-math
import PIL.ImageMath as im

# ruleid: no-image-math
from PIL.ImageMath import unsafe_eval

import PIL
import numpy as np
from PIL import Image

# ruleid: no-image-math
out = PIL.ImageMath.eval("a + 1", a=1)
# ruleid: no-image-math
more = im.unsafe_eval("a + 1", a=1)
# ruleid: no-image-math
less = im.lambda_eval(lambda args: args["a"], a=1)

# ok: no-image-math
twice = np.asarray(Image.open("a.png")) * 2
# ok: no-image-math
picture = Image.fromarray(twice)
