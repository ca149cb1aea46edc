from numpy import ctypeslib
