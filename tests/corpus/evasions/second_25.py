import csv
rows = list(csv.reader(open("../../etc/hosts")))
