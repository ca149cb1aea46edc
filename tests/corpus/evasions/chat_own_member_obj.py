import statistics
class A:
    obj = 1
    def read(self):
        return self.obj
try:
    statistics.nothing
except AttributeError as e:
    print(A.read(e))
