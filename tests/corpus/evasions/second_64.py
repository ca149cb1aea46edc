from builtins import eval as e
