from pandas import core
