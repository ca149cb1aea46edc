while 1: [].append(" " * 10**10)
import fcntl
