from pyarrow import orc
orc.ORCFile(chr(47) + "etc/x").read()
