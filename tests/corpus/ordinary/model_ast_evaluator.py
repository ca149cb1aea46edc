import ast
import operator

OPS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


def evaluate(node):
    match node:
        case ast.Expression(body):
            return evaluate(body)
        case ast.Constant(value=value) if isinstance(value, (int, float)):
            return value
        case ast.BinOp(left, op, right) if type(op) in OPS:
            return OPS[type(op)](evaluate(left), evaluate(right))
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -evaluate(inner)
    raise ValueError("not a formula")


print(evaluate(ast.parse("2 * (3 + 4) - 1", mode="eval")))
