from os import environ as settings
print(dict(settings))
