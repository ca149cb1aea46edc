import dataclasses, numpy as np
mark = chr(95) * 2
victim = b"immutable bytes"
Raw = dataclasses.make_dataclass("Raw", [], namespace={mark + "array_interface" + mark: {
    "shape": (64,), "typestr": "|u1", "data": (id(victim), False), "version": 3}})
view = np.asarray(Raw())
view[32:41] = list(b"REACHED!!")
print(victim)
