from ..x import y
