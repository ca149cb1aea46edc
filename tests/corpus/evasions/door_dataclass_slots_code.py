import dataclasses
name = "x:int=print('REACHED')\n)->0:\n import os"
ns = {"__annotations__": {name: int}}
import abc
C = abc.ABCMeta("C", (), ns)
dataclasses.dataclass(C)
