# ruleid: no-raised-limits
import resource

# ruleid: no-raised-limits
from resource import RLIMIT_NPROC, setrlimit

# ruleid: no-raised-limits
import threadpoolctl

# ruleid: no-raised-limits
import fcntl

# ok: no-raised-limits
import resources

# ok: no-raised-limits
resource = {"cpu": resources}
