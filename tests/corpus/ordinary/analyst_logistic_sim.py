import numpy as np
def simulate(beta, gamma, days, n=1000, i0=1):
    s, i, r = n - i0, i0, 0
    hist = []
    for day in range(days):
        new_i = beta * s * i / n; new_r = gamma * i
        s, i, r = s - new_i, i + new_i - new_r, r + new_r
        hist.append((day, s, i, r))
    return np.array(hist)
peak = simulate(.3, .1, 160)[:, 2].argmax()
final_answer({"peak_day": int(peak)})
