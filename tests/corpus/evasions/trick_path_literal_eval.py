import ast
open(ast.literal_eval("'\\x2fetc'"))
