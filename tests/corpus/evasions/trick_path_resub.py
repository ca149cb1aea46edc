import re
open(re.sub("#", "/", "#etc#passwd"))
