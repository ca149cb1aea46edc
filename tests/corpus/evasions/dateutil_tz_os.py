import dateutil.tz as t

print(t.tz.os.listdir("/"))
