from math import radians, degrees, sin, cos, asin, atan2, sqrt, pi, tau, hypot
import numpy as np, pandas as pd
R = 6371.0088
def haversine(lat1, lon1, lat2, lon2):
    lat1, lon1, lat2, lon2 = map(np.radians, (lat1, lon1, lat2, lon2))
    h = np.sin((lat2 - lat1) / 2) ** 2 + np.cos(lat1) * np.cos(lat2) * np.sin((lon2 - lon1) / 2) ** 2
    return 2 * R * np.arcsin(np.sqrt(h))
def bearing(a, b):
    (la, lo), (lb, lp) = ((radians(x) for x in p) for p in (a, b))
    return (degrees(atan2(sin(lp - lo) * cos(lb), cos(la) * sin(lb) - sin(la) * cos(lb) * cos(lp - lo))) + 360) % 360
cities = pd.read_csv("cities.csv").set_index("city")[["lat", "lon"]]
D = pd.DataFrame(haversine(*np.broadcast_arrays(cities.lat.values[:, None], cities.lon.values[:, None], cities.lat.values, cities.lon.values)), cities.index, cities.index)
tour, left = [D.index[0]], set(D.index[1:])
while left:
    nxt = D.loc[tour[-1], list(left)].idxmin()
    tour.append(nxt); left.remove(nxt)
length = lambda t: sum(D.at[a, b] for a, b in zip(t, t[1:] + t[:1]))
improved = True
while improved:
    improved = False
    for i in range(1, len(tour) - 1):
        for j in range(i + 1, len(tour)):
            cand = tour[:i] + tour[i:j][::-1] + tour[j:]
            if length(cand) < length(tour) - 1e-9:
                tour, improved = cand, True
print(" → ".join(tour), f"{length(tour):,.0f} km", round(bearing((52.5, 13.4), (48.1, 11.6))))
geo = {"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": {"type": "Point", "coordinates": [float(r.lon), float(r.lat)]}, "properties": {"name": r.Index}} for r in cities.itertuples()]}
import json
with open("output/cities.geojson", "w") as f: json.dump(geo, f)
