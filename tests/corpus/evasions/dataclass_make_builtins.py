import dataclasses
dataclasses.builtins.eval("1")
