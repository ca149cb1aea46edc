open("/etc/%s" % "passwd")
