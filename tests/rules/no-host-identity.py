import os
import platform
import uuid

# ruleid: no-host-identity
import getpass

# ruleid: no-host-identity
from platform import node

# ruleid: no-host-identity
import pwd

# ruleid: no-host-identity
from os import getlogin

# ruleid: no-host-identity
name = os.uname().nodename
# ruleid: no-host-identity
address = uuid.getnode()
# ruleid: no-host-identity
mark = uuid.uuid1()
# ruleid: no-host-identity
print(os.getpid())
# ruleid: no-host-identity
host = platform.node()

# ok: no-host-identity
mark = uuid.uuid4()
# ok: no-host-identity
version = platform.python_version()
# ok: no-host-identity
columns = {"pwd": 1, "platform": "web"}
