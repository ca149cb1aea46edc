from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo
import calendar
d = datetime(2024, 3, 31, 12, tzinfo=ZoneInfo("Europe/Paris"))
print((d + timedelta(days=1)).astimezone(timezone.utc).isoformat(), calendar.month_name[d.month], datetime.now().year > 2000)
