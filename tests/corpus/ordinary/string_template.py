from string import Template, ascii_lowercase
print(Template("$who owes $$5").substitute(who="Ann"), ascii_lowercase[:3])
