import numpy as np
from scipy.integrate import odeint, solve_ivp
import matplotlib.pyplot as plt

def sir(y, t, beta, gamma):
    S, I, R = y
    N = S + I + R
    return -beta * S * I / N, beta * S * I / N - gamma * I, gamma * I

t = np.linspace(0, 160, 161)
fig, ax = plt.subplots()
for beta in np.arange(0.15, 0.4, 0.05):
    S, I, R = odeint(sir, (999, 1, 0), t, args=(beta, 0.1)).T
    ax.plot(t, I, label=fr"$\beta={beta:.2f}$, $R_0={beta/0.1:.1f}$")
    print(f"beta={beta:.2f}: peak {I.max():.0f} on day {t[I.argmax()]:.0f}, total {R[-1]:.0f}")
ax.set(xlabel="day", ylabel="infected", title="SIR")
ax.legend(title="rate", ncols=2)
ax.grid(True, which="both", linestyle=":")
plt.savefig("output/sir.png", dpi=200, facecolor="w", transparent=False)

def event(t, y): return y[1] - 1
event.terminal = True
event.direction = -1
sol = solve_ivp(lambda t, y: sir(y, t, .3, .1), [0, 400], [999, 1.5, 0], events=event, dense_output=True)
print(sol.t_events, sol.sol(10))
