import bisect
import random
import calendar
import time
import math
import sys
from array import array
from statistics import StatisticsError, mean, pstdev, variance, harmonic_mean, geometric_mean

GRADES = "FDCBA"
BREAKS = [60, 70, 80, 90]
random.seed(2024)
scores = [min(100, max(0, round(random.gauss(75, 12)))) for _ in range(200)]
grade = lambda s: GRADES[bisect.bisect(BREAKS, s)]
hist = {g: 0 for g in reversed(GRADES)}
for s in scores:
    hist[grade(s)] += 1
for g, n in hist.items():
    print(f"{g} {'█' * (n // 2):<50} {n:>3d} {n / len(scores):6.1%}")
ordered = sorted(scores)
bisect.insort(ordered, 88)
q = lambda p: ordered[math.ceil(p * len(ordered)) - 1]
print(f"{q(.25)=} {q(.5)=} {q(.75)=}")
try:
    mean([])
except StatisticsError as e:
    print(f"error: {e}", file=sys.stderr)
arr = array("d", scores)
print(arr.itemsize, sum(arr) / len(arr), math.fsum(arr), math.isclose(pstdev(arr) ** 2, variance(arr) * 199 / 200))
print(calendar.monthrange(2024, 2), calendar.isleap(2100), calendar.month_name[3], list(calendar.day_abbr))
print(calendar.TextCalendar(calendar.MONDAY).formatmonth(2024, 5))
print(time.strftime("%Y", time.gmtime(0)), math.comb(10, 3), math.perm(5, 2), math.gcd(12, 18), math.lcm(4, 6), math.dist((0, 0), (3, 4)))
random.shuffle(scores)
print(random.sample(scores, 5), random.choices("ab", weights=[3, 1], k=5), random.triangular(0, 1, .5))
