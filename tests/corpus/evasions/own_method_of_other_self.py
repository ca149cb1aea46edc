import json


class Steps:
    def en(self):
        return 1

    def run(self, name):
        return getattr(self, f"en{name}")


print(Steps.run(json.JSONEncoder(), "code"))
