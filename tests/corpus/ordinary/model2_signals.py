import numpy as np
from scipy import signal
from scipy.fft import rfft, rfftfreq

t = np.linspace(0, 1, 500, endpoint=False)
x = np.sin(2 * np.pi * 50 * t) + 0.5 * np.sin(2 * np.pi * 120 * t)
power = np.abs(rfft(x))
print(rfftfreq(500, 1 / 500)[np.argsort(power)[-2:]])
b, a = signal.butter(4, 80, "low", fs=500)
smooth = signal.filtfilt(b, a, x)
peaks, info = signal.find_peaks(smooth, height=0.5, distance=5)
print(len(peaks), info["peak_heights"].mean().round(2), signal.welch(x, 500, nperseg=128)[0][:3])
