"""Due dates and the workdays of a month, from dates in three spellings."""
from datetime import date

from dateutil import easter, parser, tz
from dateutil.relativedelta import FR, relativedelta
from dateutil.rrule import DAILY, MO, rrule

signed = [parser.parse(text, dayfirst=True).date() for text in ("03.05.2024", "2024-05-17", "1 June 2024")]
due = [day + relativedelta(months=+1, weekday=FR) for day in signed]
age = relativedelta(date(2024, 6, 1), date(1990, 2, 28)).years
mondays = [day.date() for day in rrule(DAILY, byweekday=(MO,), dtstart=parser.isoparse("2024-05-01"), count=4)]
noon = parser.parse("2024-05-03 12:00").replace(tzinfo=tz.gettz("Europe/Berlin"))
print({"due": [str(day) for day in due], "age": age, "mondays": [str(day) for day in mondays],
       "easter": str(easter.easter(2024)), "noon": noon.astimezone(tz.UTC).isoformat()})
