import dataclasses
makers = [dataclasses.make_dataclass]
makers[0]("Raw", [], namespace={})
