class A:
    def __init_subclass__(cls):
        print(cls)
