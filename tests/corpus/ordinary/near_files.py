import glob
import io
import json
import os
import tempfile
import warnings
from pathlib import Path
import numpy as np
import pandas as pd
from scipy import fft
from scipy.io import wavfile
from scipy.spatial import KDTree
LETTERS = "abc"
with open("run.json", "w", encoding="utf-8") as file:
    json.dump({"letters": "".join(reversed(LETTERS)), "pi": chr(960)}, file)
print(glob.glob("*.json", root_dir="."), sorted(os.walk(top=".")), len(list(Path.cwd().iterdir())))
with tempfile.TemporaryDirectory(prefix="run_") as folder, tempfile.NamedTemporaryFile(suffix=".csv", dir=folder) as spare:
    print(Path(spare.name).suffix, Path(folder).is_dir())
sound = np.zeros(100, dtype=np.int16)
sound.tofile("sound.bin")
wavfile.write("sound.wav", 8000, sound)
print(KDTree(np.eye(3)).query([0, 0, 1], workers=-1), fft.fft(np.ones(4), workers=2))
buffer = io.StringIO()
frame = pd.DataFrame({"when": pd.to_datetime(["2024-01-01"])})
frame.to_string(buf=buffer)
print(buffer.getvalue(), frame["when"].dt.tz_localize("Europe/Paris"), np.zeros(2, np.uint8).tobytes())
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    warnings.warn("careful", UserWarning, stacklevel=2)
