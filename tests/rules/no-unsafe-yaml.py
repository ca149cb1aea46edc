import yaml
from yaml import unsafe_load as read

text = "a: 1"
# ruleid: no-unsafe-yaml
a = yaml.load(text)
# ruleid: no-unsafe-yaml
b = yaml.load_all(text, Loader=yaml.FullLoader)
# ruleid: no-unsafe-yaml
c = read(text)
# ruleid: no-unsafe-yaml
d = yaml.full_load(text)

# ok: no-unsafe-yaml
e = yaml.safe_load(text)
# ok: no-unsafe-yaml
f = yaml.safe_dump({"a": 1})
