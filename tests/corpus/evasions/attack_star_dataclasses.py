from dataclasses import *
mark = chr(95) * 2
R = make_dataclass("R", [(mark + "array_interface" + mark, object, None)])
