import __main__
