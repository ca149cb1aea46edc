# ruleid: no-subprocess
import subprocess

# ruleid: no-subprocess
import subprocess as sp

# ruleid: no-subprocess
from subprocess import check_output as fetch, PIPE

# ruleid: no-subprocess
import _posixsubprocess

# ruleid: no-subprocess
from pty import spawn

# ruleid: no-subprocess
import sh

# ruleid: no-subprocess
from pexpect import run

# ok: no-subprocess
import shapely

# ok: no-subprocess
import csv

# ok: no-subprocess
subprocess_count = 3
# ok: no-subprocess
note = "import subprocess"
