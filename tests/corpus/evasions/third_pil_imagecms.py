from PIL import ImageCms
ImageCms.getOpenProfile(chr(47) + "etc/x")
