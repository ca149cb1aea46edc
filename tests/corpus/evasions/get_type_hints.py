import typing
typing.get_type_hints(print)
