import numpy
numpy.ctypeslib.load_library("c", ".")
