print("REACHED", open("%cetc%cpasswd" % (47, 47)).readline())
