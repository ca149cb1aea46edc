import string
from string import Template

TEMPLATES = {"en": "Hello {name}, you owe {amount:,.2f}", "de": "Hallo {name}, offen: {amount:,.2f}"}
SUBJECTS = ["Invoice {n}", "Reminder {n}"]
letters = []
for lang, template in TEMPLATES.items():
    letters.append(template.format(name="Zoe", amount=1234.5))
letters.append(TEMPLATES.get("en", "{name}").format(name="Bo", amount=1))
letters += [subject.format(n=n) for n, subject in enumerate(SUBJECTS, 1)]
letters.append(Template("$who likes $what").substitute(who="tim", what="kung pao"))
letters.append("{0}-{1:>5}|{2!r}".format("a", 3, None))
print("\n".join(letters), string.capwords("some title here"))
