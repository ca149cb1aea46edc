from decimal import Decimal, getcontext, ROUND_HALF_UP
getcontext().prec = 28
print(Decimal("1.005").quantize(Decimal("0.01"), rounding=ROUND_HALF_UP))
