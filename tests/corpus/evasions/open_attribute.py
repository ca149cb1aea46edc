class C:
    path = "/etc/passwd"
    def go(self):
        return open(self.path).read()
