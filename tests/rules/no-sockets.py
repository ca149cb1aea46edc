# ruleid: no-sockets
import socket

# ruleid: no-sockets
import socket as net

# ruleid: no-sockets
from socket import create_connection

# ruleid: no-sockets
import _socket

# ruleid: no-sockets
import ssl

# ruleid: no-sockets
from selectors import DefaultSelector

# ruleid: no-sockets
import gevent.socket

# ok: no-sockets
import numpy as np

# ok: no-sockets
chosen = np.select([np.array([True])], [1])
# ok: no-sockets
socket_type = "AC"
