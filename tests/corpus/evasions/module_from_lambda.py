import glob
(lambda m: m.os.system("id"))(glob)
