from numpy import *
system
