import scipy
scipy.test()
