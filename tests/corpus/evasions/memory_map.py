import mmap
