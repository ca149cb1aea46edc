from PIL import TarIO
print(TarIO.TarIO(chr(47) + "etc/x.tar", "y").read())
