import numpy as np
from PIL import Image, ImageChops, ImageColor, ImageSequence
import colorsys
from collections import Counter
im = Image.open("photo.jpg")
print(im.format, im.mode, im.size, im.info.get("dpi"))
small = im.convert("RGB").resize((64, 64), resample=Image.BICUBIC)
counts = Counter(small.getdata())
quant = small.quantize(colors=5, method=Image.Quantize.MEDIANCUT)
palette = quant.getpalette()[:15]
for n, idx in sorted(quant.getcolors(), reverse=True):
    rgb = tuple(palette[idx * 3:idx * 3 + 3])
    h, l, s = colorsys.rgb_to_hls(*(v / 255 for v in rgb))
    print("#%02x%02x%02x" % rgb, f"{n / 4096:.1%}", f"h={h * 360:.0f}")
r, g, b = small.split()
diff = ImageChops.difference(r, b)
print(diff.getbbox(), diff.getextrema(), small.histogram()[:5], ImageColor.getrgb("teal"))
gray = np.array(small.convert("L"))
hist, edges = np.histogram(gray, bins=256, range=(0, 256))
p = hist / hist.sum()
omega, mu = p.cumsum(), (p * np.arange(256)).cumsum()
with np.errstate(divide="ignore", invalid="ignore"):
    sigma = (mu[-1] * omega - mu) ** 2 / (omega * (1 - omega))
t = int(np.nanargmax(sigma))
Image.fromarray(((gray > t) * 255).astype(np.uint8), mode="L").save("output/binary.png")
frames = [small.rotate(a, expand=False, fillcolor="white") for a in range(0, 360, 45)]
frames[0].save("output/spin.gif", save_all=True, append_images=frames[1:], duration=100, loop=0)
with Image.open("output/spin.gif") as gif:
    print(sum(1 for _ in ImageSequence.Iterator(gif)), gif.n_frames)
