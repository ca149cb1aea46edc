import os
os.makedirs("x", exist_ok=True)
os.rename(os.getcwd(), os.getcwd() + "-gone")
print("REACHED")
