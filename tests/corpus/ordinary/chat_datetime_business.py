from datetime import date, datetime, timedelta, time as dtime
import calendar
import re
from collections import defaultdict

def easter(year: int) -> date:
    a, b, c = year % 19, year // 100, year % 100
    d, e = divmod(b, 4)
    f = (b + 8) // 25
    g = (b - f + 1) // 3
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    l = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * l) // 451
    month, day = divmod(h + l - 7 * m + 114, 31)
    return date(year, month, day + 1)

holidays = {easter(y) + timedelta(days=o) for y in range(2023, 2027) for o in (-2, 1, 39, 50)}
def is_workday(d): return d.weekday() < 5 and d not in holidays
def add_workdays(d, n):
    step = 1 if n >= 0 else -1
    while n:
        d += timedelta(days=step)
        if is_workday(d):
            n -= step
    return d
patterns = [("%Y-%m-%d", r"^\d{4}-\d\d-\d\d$"), ("%d.%m.%Y", r"^\d{1,2}\.\d{1,2}\.\d{4}$"), ("%m/%d/%y", r"^\d+/\d+/\d\d$"), ("%d %b %Y", r"^\d+ \w{3} \d{4}$")]
def parse(text):
    for fmt, rx in patterns:
        if re.match(rx, text.strip()):
            return datetime.strptime(text.strip(), fmt).date()
    raise ValueError(f"unknown date: {text!r}")
groups = defaultdict(list)
for s in ["2024-01-31", "1.2.2024", "02/29/24", "5 Mar 2024"]:
    d = parse(s)
    groups[f"{d:%Y}-Q{(d.month - 1) // 3 + 1}"].append(add_workdays(d, 10))
for q, ds in groups.items():
    print(q, *[d.isoformat() for d in ds])
print(date.fromisocalendar(2024, 1, 1), calendar.monthcalendar(2024, 2)[0], datetime.combine(date(2024, 1, 1), dtime(8, 30)), (date(2024, 12, 24) - date(2024, 1, 1)).days, datetime.now().replace(microsecond=0) > datetime.min)
