from pypdf.filters import JBIG2Decode
try:
    JBIG2Decode.decode(b"x", None) if False else print("REACHED", JBIG2Decode.decode)
except Exception as error:
    print(error)
