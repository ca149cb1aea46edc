import statistics
class Holder:
    lib = statistics
Holder.lib.sys.exit(3)
