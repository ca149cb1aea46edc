import traceback
traceback.walk_stack(None)
