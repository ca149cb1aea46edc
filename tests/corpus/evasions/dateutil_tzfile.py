from dateutil.tz import tzfile

print(vars(tzfile("zone")))
