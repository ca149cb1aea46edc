def BytesIO(x):
    return x
print(open(BytesIO(chr(47) + "etc/passwd")).read())
