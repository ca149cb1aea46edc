open(f"{47:c}etc/passwd")
