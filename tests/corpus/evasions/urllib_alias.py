import urllib
urllib.request
