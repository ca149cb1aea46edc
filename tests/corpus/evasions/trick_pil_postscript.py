from PIL import Image
from io import BytesIO
Image.open(BytesIO(b"%!PS-Adobe-3.0 EPSF-3.0\n")).load()
