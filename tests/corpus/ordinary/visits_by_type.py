class Printer:
    """Shows nested values, one method a type."""

    def visit(self, value):
        method_name = f"visit_{type(value).__name__}"
        visitor = getattr(self, method_name, self.visit_other)
        return visitor(value)

    def visit_other(self, value):
        return repr(value)

    def visit_list(self, value):
        return "[" + ", ".join(self.visit(part) for part in value) + "]"

    def visit_dict(self, value):
        return "{" + ", ".join(f"{key}: {self.visit(part)}" for key, part in value.items()) + "}"


print(Printer().visit({"a": [1, {"b": None}]}))
