readers = []
readers.append(open)
print(readers[0](chr(47) + "etc/passwd").read())
