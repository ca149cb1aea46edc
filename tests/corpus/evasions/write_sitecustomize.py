from pathlib import Path
Path("sitecustomize.py").write_text("print(1)")
