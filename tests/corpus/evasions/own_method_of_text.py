class Template(str):
    def fo(self):
        return 1

    def run(self, name, value):
        return getattr(self, f"fo{name}")(value)


print(Template(open("t.txt").read()).run("rmat", open))
