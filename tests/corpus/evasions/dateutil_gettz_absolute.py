from dateutil.tz import gettz

print(gettz("/proc/self/environ"))
