class Steps:
    def do_strip(self, text):
        return text

    def run(self, name):
        chosen = f"do_{name}"
        if len(name) > 9:
            chosen = name
        return getattr(self, chosen)


print(Steps().run("strip"))
