from urllib.parse import urlparse, urlencode
base = "https://example.com/search"
urls = [f"{base}?{urlencode({'q': q})}" for q in ("a b", "c")]
print([urlparse(u).netloc for u in urls])
