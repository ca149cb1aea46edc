class Cleaner:
    """Runs its steps by their names."""

    def run(self, steps, text):
        for step in steps:
            if not hasattr(self, f"do_{step}"):
                raise ValueError(f"no step {step}")
            text = getattr(self, f"do_{step}")(text)
        return text

    def visit(self, value):
        return getattr(self, "show_" + type(value).__name__, self.show)(value)

    def show(self, value):
        return repr(value)

    def show_str(self, value):
        return value

    def do_strip(self, text):
        return text.strip()

    def do_lower(self, text):
        return text.lower()


cleaner = Cleaner()
print(cleaner.run(["strip", "lower"], "  Total "), cleaner.visit("a"), cleaner.visit(3))
