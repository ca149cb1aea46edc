import matplotlib.pyplot as plt
t = plt.title("x")
plt.setp(t, "usetex", True)
