from string import Template
class T(Template):
    pattern = r"(?P<escaped>x)|(?P<named>(a*)*$)|(?P<braced>y)|(?P<invalid>z)"
print(T("a" * 40 + "b").safe_substitute({}))
