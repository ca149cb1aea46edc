dаta = 1
print(dаta)
