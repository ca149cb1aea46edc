import configparser
c = configparser.ConfigParser()
print("REACHED", c.read(["/srv/app/settings.ini"]))
