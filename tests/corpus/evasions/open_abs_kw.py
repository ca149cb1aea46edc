open(file="/etc/passwd")
