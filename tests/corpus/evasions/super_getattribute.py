class A:
    def f(self):
        return super().__getattribute__("__dict__")
