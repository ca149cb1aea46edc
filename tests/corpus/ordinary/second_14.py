from datetime import datetime, timedelta, timezone
import calendar
from zoneinfo import ZoneInfo
now = datetime(2024, 2, 29, 23, 59, tzinfo=timezone.utc)
print((now + timedelta(days=1)).isoformat(), calendar.monthrange(2024, 2), now.astimezone(ZoneInfo("Asia/Tokyo")).hour)
print(datetime.strptime("03/04/2024", "%d/%m/%Y").date(), datetime.fromisoformat("2024-01-01T00:00:00").weekday())
