import os.path as osp
print(osp.join("a", "b"))
