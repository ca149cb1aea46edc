class Frame:
    # ruleid: no-implicit-methods
    def __reduce_ex__(self, protocol):
        return print, ("x",)

    # ruleid: no-implicit-methods
    def __getattr__(self, name):
        return print

    # ruleid: no-implicit-methods
    def __class_getitem__(cls, text):
        return text

    # ruleid: no-implicit-methods
    def __init_subclass__(cls, **options):
        print(options)

    # ruleid: no-implicit-methods
    def __del__(self):
        print("late")

    # ok: no-implicit-methods
    def __getitem__(self, key):
        return key

    # ok: no-implicit-methods
    def __add__(self, other):
        return other

    # ok: no-implicit-methods
    def reduce(self):
        return 1
