print((yield_ := exec) and yield_("1"))
