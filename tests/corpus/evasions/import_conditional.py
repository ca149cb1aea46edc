if True:
    import socket
