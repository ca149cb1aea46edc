"""Text that can be written down anywhere. A program chooses file names, arguments and messages, lone surrogates too."""

import re
from typing import Any

_SURROGATE = re.compile("[\ud800-\udfff]")


def writable(value: Any) -> Any:
    """The value with each lone surrogate in its texts replaced by U+FFFD: no encoding, no JSON document can hold one."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [writable(item) for item in value]
    if isinstance(value, dict):
        return {writable(name): writable(item) for name, item in value.items()}
    return value
