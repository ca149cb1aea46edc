from collections import Counter
from urllib.parse import urlparse
urls = ["https://example.com/a", "http://test.org/b?x=1", "https://example.com/c"]
print(Counter(urlparse(u).netloc for u in urls).most_common())
