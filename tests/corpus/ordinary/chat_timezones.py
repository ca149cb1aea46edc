from datetime import datetime, timedelta, timezone, UTC
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones
import pandas as pd

try:
    berlin = ZoneInfo("Europe/Berlin")
except ZoneInfoNotFoundError:
    berlin = timezone(timedelta(hours=1), name="CET")
meeting = datetime(2024, 3, 31, 1, 30, tzinfo=berlin)
later = (meeting.astimezone(UTC) + timedelta(hours=1)).astimezone(berlin)
print(meeting.isoformat(), later.isoformat(), later.utcoffset(), later.dst())
print(len(available_timezones()) > 100)
df = pd.DataFrame({"ts": ["2024-03-30 23:00", "2024-10-27 02:30"], "v": [1, 2]})
df["ts"] = pd.to_datetime(df["ts"], format="%Y-%m-%d %H:%M")
df["local"] = df["ts"].dt.tz_localize("Europe/Berlin", ambiguous="NaT", nonexistent="shift_forward")
df["utc"] = df["local"].dt.tz_convert("UTC")
df["ny"] = df["utc"].dt.tz_convert("America/New_York")
df["day"] = df["ny"].dt.day_name()
df["iso_week"] = df["ny"].dt.isocalendar().week
print(df.to_markdown(index=False))
stamp = datetime.strptime("2024-02-29T12:00:00+0100", "%Y-%m-%dT%H:%M:%S%z")
print(stamp.timetuple().tm_yday, stamp.strftime("%A, %d. %B %Y %H:%M %Z"), datetime.fromisoformat("2024-02-29T12:00:00+01:00") == stamp)
