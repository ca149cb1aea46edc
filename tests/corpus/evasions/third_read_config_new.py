import configparser
configparser.ConfigParser().read(chr(47) + "proc/self/environ")
