from PIL import Image, ImageShow
