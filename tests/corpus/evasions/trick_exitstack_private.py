import contextlib
class Deep(contextlib.ExitStack):
    def _push_exit_callback(self, callback, is_sync=True):
        print("REACHED")
