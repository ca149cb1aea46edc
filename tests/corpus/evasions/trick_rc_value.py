import matplotlib.pyplot as plt
boxes = [plt.rcParams]
boxes[0]["text.use" + "tex"] = True
