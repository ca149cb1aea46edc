name = "Zoë ☕ 😀"
größe = len(name)
print(größe, "naïve café".upper())
