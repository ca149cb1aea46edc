from matplotlib import mathtext
mathtext.math_to_image("$x$", chr(47) + "etc/x.png")
