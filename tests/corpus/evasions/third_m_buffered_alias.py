import io
B = io.BufferedReader
class R:
    pass
B(R())
