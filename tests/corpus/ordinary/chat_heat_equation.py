import numpy as np
import matplotlib.pyplot as plt
from mpl_toolkits.axes_grid1 import make_axes_locatable
N, alpha, dt = 64, 1.0, .1
u = np.zeros((N, N)); u[N//4:N//2, N//4:N//2] = 100
snaps = {}
for n in range(501):
    lap = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u
    u += alpha * dt * lap
    u[[0, -1], :] = u[:, [0, -1]] = 0
    if n % 250 == 0: snaps[n] = u.copy()
fig, axs = plt.subplots(1, len(snaps), figsize=(12, 4))
for ax, (n, field) in zip(axs, snaps.items()):
    im = ax.contourf(field, levels=20, cmap=plt.get_cmap("inferno"))
    div = make_axes_locatable(ax); cax = div.append_axes("right", size="5%", pad=.05)
    fig.colorbar(im, cax=cax); ax.set_title(f"t = {n * dt:g}"); ax.set_aspect("equal")
fig.savefig("output/heat.png")
