from decimal import Decimal, ROUND_HALF_UP, getcontext, localcontext, InvalidOperation
from fractions import Fraction
from typing import NamedTuple
import json

getcontext().prec = 28
CENT = Decimal("0.01")


class Line(NamedTuple):
    text: str
    qty: Decimal
    price: Decimal
    vat: Fraction = Fraction(19, 100)

    @property
    def net(self) -> Decimal:
        return (self.qty * self.price).quantize(CENT, rounding=ROUND_HALF_UP)


class DecimalEncoder(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, Decimal):
            return str(o)
        if isinstance(o, Fraction):
            return f"{o.numerator}/{o.denominator}"
        return super().default(o)


raw = '[{"text": "Hosting", "qty": 12, "price": 9.99}, {"text": "Domain", "qty": 1, "price": 14.5}]'
items = json.loads(raw, parse_float=Decimal, parse_int=Decimal)
lines = [Line(**i) for i in items]
net = sum((l.net for l in lines), start=Decimal(0))
vat = sum((l.net * l.vat.numerator / l.vat.denominator for l in lines), Decimal())
with localcontext() as ctx:
    ctx.prec = 6
    ctx.rounding = ROUND_HALF_UP
    print(+(net / 7))
try:
    Decimal("12,5")
except InvalidOperation as e:
    print("bad:", e.__class__.__name__)
print(json.dumps({"net": net, "vat": vat.quantize(CENT), "lines": [l._asdict() for l in lines]}, cls=DecimalEncoder, indent=1, ensure_ascii=False))
