object.__getattribute__([], "__class__")
