import threading
import time
from time import sleep

# ruleid: no-long-sleep
time.sleep(3600)
# ruleid: no-long-sleep
sleep(10**6)
# ruleid: no-long-sleep
threading.Event().wait()
# ruleid: no-long-sleep
while True:
    time.sleep(1)

# ok: no-long-sleep
time.sleep(0.1)
# ok: no-long-sleep
sleep(5)
