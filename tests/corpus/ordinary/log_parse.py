import re
log = '''10.0.0.1 - - "GET /index.html HTTP/1.1" 200
10.0.0.2 - - "POST /api/v1/login HTTP/1.1" 401'''
pattern = re.compile(r'"(GET|POST) (\S+) HTTP/1\.1" (\d+)')
for line in log.splitlines():
    method, path, status = pattern.search(line).groups()
    if path.startswith("/api"):
        print(method, path, status)
