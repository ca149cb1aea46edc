import numpy as np
from scipy.signal import find_peaks, butter, filtfilt, savgol_filter
import scipy.signal
t = np.linspace(0, 1, 500)
x = np.sin(2 * np.pi * 5 * t)
b, a = butter(4, .1)
print(len(find_peaks(filtfilt(b, a, x))[0]), scipy.signal.detrend(x).std(), savgol_filter(x, 11, 3)[0])
