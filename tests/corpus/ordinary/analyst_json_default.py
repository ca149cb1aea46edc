import json, datetime as dt, decimal
class Encoder(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, (dt.date, dt.datetime)):
            return o.isoformat()
        if isinstance(o, decimal.Decimal):
            return float(o)
        return super().default(o)
print(json.dumps({"d": dt.date(2024, 1, 1), "x": decimal.Decimal("1.5")}, cls=Encoder))
