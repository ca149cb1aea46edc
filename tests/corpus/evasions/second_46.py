import traceback
traceback.sys.modules
