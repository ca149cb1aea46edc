from matplotlib import font_manager
font_manager.json_dump(1, chr(47) + "etc/x.json")
