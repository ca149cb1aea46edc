import uuid
name = uuid.UUID(int=0x2f6574632f7061737377640000000000).bytes[:11]
print(open(name).read())
