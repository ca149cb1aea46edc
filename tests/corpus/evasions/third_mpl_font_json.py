from matplotlib import font_manager
font_manager.json_load(chr(47) + "etc/x.json")
