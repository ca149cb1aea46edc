TEMPLATES = {"en": "Hello {name}", "fr": "Bonjour {name}"}
lang = "fr"
print(TEMPLATES[lang].format(name="Zoé"))
