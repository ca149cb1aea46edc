import contextlib
import io
import sys

# ruleid: no-stream-swap
sys.stdout = io.StringIO()
# ruleid: no-stream-swap
sys.stderr = open("log.txt", "w")
# ruleid: no-stream-swap
sys.stdout.close()
# ruleid: no-stream-swap
number = sys.stdout.fileno()

# ok: no-stream-swap
with contextlib.redirect_stdout(io.StringIO()) as text:
    print("x")
# ok: no-stream-swap
sys.stdout.flush()
# ok: no-stream-swap
print("x", file=sys.stdout)
