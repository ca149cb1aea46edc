import calendar
from datetime import date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

start = date(2024, 1, 31)
for months in range(1, 4):
    year, month = divmod(start.month - 1 + months, 12)
    last = calendar.monthrange(start.year + year, month + 1)[1]
    print(date(start.year + year, month + 1, min(start.day, last)).isoformat())
meeting = datetime.combine(start, time(9, 30), tzinfo=ZoneInfo("Europe/Berlin"))
print(meeting.astimezone(timezone.utc), meeting - timedelta(weeks=1), f"{meeting:%A %d %B %Y}")
weekdays = sum(1 for n in range(31) if (start - timedelta(days=n)).weekday() < 5)
print(weekdays, datetime.strptime("03/04/24", "%d/%m/%y").date(), datetime.fromisoformat("2024-05-06T07:08:09"))
