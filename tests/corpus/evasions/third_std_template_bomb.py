from string import Template
class T(Template):
    idpattern = "(a+)+b"
print(T("$" + "a" * 40).substitute({}))
