import glob
(g := glob).os.system("id")
