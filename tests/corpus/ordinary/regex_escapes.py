import re
text = "C:\\Users\\mara\\sales.csv and /var/log/app.log"
print(re.findall(r"[A-Z]:\\[\w\\]+\.csv|/\S+\.log", text))
