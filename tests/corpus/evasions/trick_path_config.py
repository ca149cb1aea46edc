import configparser
c = configparser.ConfigParser()
c.read("/etc/hosts")
