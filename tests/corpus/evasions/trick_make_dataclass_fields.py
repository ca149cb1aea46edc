import dataclasses
mark = chr(95) * 2
Raw = dataclasses.make_dataclass("Raw", [(mark + "array_interface" + mark, object, None)])
