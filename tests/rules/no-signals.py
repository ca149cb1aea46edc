# ruleid: no-signals
import signal

# ruleid: no-signals
from signal import SIGALRM, alarm

# ruleid: no-signals
import signal as s, time

import os

# ruleid: no-signals
os.kill(1, 9)
# ruleid: no-signals
from os import killpg

# ruleid: no-signals
end = os.kill

# ok: no-signals
from scipy import signal as filters

# ok: no-signals
from scipy.signal import find_peaks

# ok: no-signals
peaks = find_peaks([0, 1, 0])
# ok: no-signals
filters.medfilt([1, 2, 3])
