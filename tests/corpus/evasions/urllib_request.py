import urllib.request
urllib.request.urlopen("http://example.org")
