from types import SimpleNamespace
cfg = SimpleNamespace(alpha=0.1, steps=3)
print(cfg.alpha * cfg.steps)
