from os import path as p, popen
