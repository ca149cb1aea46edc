import configparser
c = configparser.ConfigParser()
c.read("settings.ini")
print({s: dict(c[s]) for s in c.sections()})
