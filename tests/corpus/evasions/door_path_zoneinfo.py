import zoneinfo
zoneinfo.reset_tzpath(to=["/etc"])
try:
    print(zoneinfo.ZoneInfo("passwd"))
except Exception as error:
    print("REACHED", type(error).__name__, error)
