import gc
gc.get_objects()
