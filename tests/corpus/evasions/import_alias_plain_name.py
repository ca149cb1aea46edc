import subprocess as numpy
