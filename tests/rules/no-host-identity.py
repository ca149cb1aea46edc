import os
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

# ok: no-host-identity
mark = uuid.uuid4()
# ok: no-host-identity
platform = {"pwd": 1}
