import scipy.io
scipy.io.loadmat("https://example.org/a.mat")
