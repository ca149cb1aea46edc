x = globals
