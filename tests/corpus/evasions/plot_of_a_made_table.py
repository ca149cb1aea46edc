import json

import pyarrow.csv


def draw(axes, options):
    axes.plot(**options["style"])


draw(pyarrow.csv.read_csv("a.csv").to_pandas(), json.load(open("options.json")))
