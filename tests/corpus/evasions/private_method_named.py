import dataclasses
class A:
    def _create_fn(self):
        pass
dataclasses._create_fn("f", [], ["return 1"])
