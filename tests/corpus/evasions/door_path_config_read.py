import configparser
c = configparser.ConfigParser(allow_no_value=True, strict=False)
try:
    print("REACHED", c.read("/etc/passwd"))
except configparser.Error as error:
    print("REACHED", str(error)[:60])
