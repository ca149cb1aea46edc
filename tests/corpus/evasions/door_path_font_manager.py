from matplotlib import font_manager
font_manager.fontManager.addfont("/etc/passwd") if False else print("REACHED", font_manager.findSystemFonts(fontpaths=["/usr/share"])[:1])
