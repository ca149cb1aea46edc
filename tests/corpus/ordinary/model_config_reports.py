import configparser
import json
from pathlib import Path

config = configparser.ConfigParser()
config.read("settings.ini")
folder = Path(config.get("output", "folder", fallback="output"))
folder.mkdir(parents=True, exist_ok=True)
limits = {key: config.getfloat("limits", key) for key in config["limits"]}
(folder / "limits.json").write_text(json.dumps(limits, indent=2, sort_keys=True))
print(len(limits))
