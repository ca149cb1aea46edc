import io
name = io.StringIO(chr(47) + "etc/passwd").getvalue()
print(open(name).read())
