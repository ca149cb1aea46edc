# ruleid: no-http-client
import http.client

# ruleid: no-http-client
from http.client import HTTPConnection

# ruleid: no-http-client
from http import client

# ruleid: no-http-client
import urllib.request

# ruleid: no-http-client
from urllib.request import urlopen as load

# ruleid: no-http-client
from urllib import request

# ruleid: no-http-client
import requests

# ruleid: no-http-client
from requests.sessions import Session

# ruleid: no-http-client
import httpx as client

# ruleid: no-http-client
import yfinance as yf

# ok: no-http-client
from urllib.parse import urlparse

# ok: no-http-client
from http import HTTPStatus

# ok: no-http-client
requests_per_day = {"requests": 3}
# ok: no-http-client
host = urlparse("https://example.org/a").netloc
import urllib

# ruleid: no-http-client
urllib.request.urlopen(host)
