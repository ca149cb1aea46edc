open("{:c}etc/passwd".format(47))
