import uuid
make = getattr(uuid, "uuid1")
print(make())
