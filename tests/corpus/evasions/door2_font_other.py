from matplotlib import font_manager
try:
    font_manager.fontManager.addfont("/srv/app/secret.ttf")
except OSError as e:
    print("REACHED", e)
