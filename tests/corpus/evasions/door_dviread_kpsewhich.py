from matplotlib.backends.backend_pdf import dviread
try:
    print(dviread.find_tex_file("cmr10.tfm"))
except Exception as error:
    print("REACHED", type(error).__name__, str(error)[:80])
