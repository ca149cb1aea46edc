import unicodedata, string
def strip_accents(s):
    return "".join(c for c in unicodedata.normalize("NFKD", s) if not unicodedata.combining(c))
text = "Été à l’œuvre — naïve"
print(strip_accents(text).translate(str.maketrans("", "", string.punctuation)).lower().split())
