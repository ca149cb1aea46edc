from dateutil.zoneinfo import get_zonefile_instance

print(get_zonefile_instance())
