open("#etc#passwd".replace("#", "/")) if 0 else open("/proc/self/environ")
