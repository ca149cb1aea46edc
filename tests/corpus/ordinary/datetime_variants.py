import datetime as dt
from datetime import date, timedelta
print(dt.datetime(2024, 1, 31).strftime("%d/%m/%Y"), dt.time(8, 30), date(2024, 2, 28) + timedelta(days=2))
