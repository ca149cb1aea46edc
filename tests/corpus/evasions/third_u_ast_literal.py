import ast
print(open(ast.literal_eval("'" + chr(92) + "x2fetc" + chr(92) + "x2fpasswd'")).read())
