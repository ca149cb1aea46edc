import dataclasses, numpy as np
mark = "_" * 2
target = b"secret"
Raw = dataclasses.make_dataclass("Raw", [], namespace={mark + "array_interface" + mark: {
    "shape": (64,), "typestr": "|u1", "data": (id(target), True), "version": 3}})
print("REACHED", bytes(np.asarray(Raw()))[:40])
