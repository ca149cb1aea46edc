import json


class Customer:
    def __init__(self, name, spent):
        self.name, self.spent = name, spent

    def to_dict(self):
        return self.__dict__

    def to_json(self):
        return json.dumps(vars(self), sort_keys=True)

    def __repr__(self):
        return f"Customer({', '.join(f'{key}={value!r}' for key, value in self.__dict__.items())})"


customers = [Customer("Ada", 12.5), Customer("Bo", 3)]
print(json.dumps([one.to_dict() for one in customers]), customers, customers[0].to_json())
