OPS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b}
import ast, operator
def calc(text):
    ops = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
    def ev(n):
        if isinstance(n, ast.Constant): return n.value
        if isinstance(n, ast.BinOp): return ops[type(n.op)](ev(n.left), ev(n.right))
        raise ValueError(n)
    return ev(ast.parse(text, mode="eval").body)
print(calc("1+2*3"))
