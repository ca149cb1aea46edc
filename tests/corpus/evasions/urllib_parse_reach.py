import urllib.parse
urllib.parse.sys.modules
