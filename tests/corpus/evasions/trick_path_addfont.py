from matplotlib import font_manager as fm
fm.fontManager.addfont("/usr/share/fonts/x.ttf")
