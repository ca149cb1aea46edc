# ruleid: no-pickle
import pickle

# ruleid: no-pickle
import pickle as p

# ruleid: no-pickle
from pickle import loads

# ruleid: no-pickle
import json, _pickle

# ruleid: no-pickle
import shelve

# ruleid: no-pickle
from marshal import loads as read

# ruleid: no-pickle
import dbm.dumb

# ruleid: no-pickle
import joblib

# ruleid: no-pickle
from dill import load

# ruleid: no-pickle
import cloudpickle


def keep(value):
    # ruleid: no-pickle
    from copyreg import pickle as register

    return register, value


# ok: no-pickle
import csv

# ok: no-pickle
from pathlib import Path

# ok: no-pickle
name = Path("pickle_sales.csv")
# ok: no-pickle
shelf = {"pickle": "cucumber"}
