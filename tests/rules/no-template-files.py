from string import Template

import pandas as pd

# ruleid: no-template-files
import jinja2

# ruleid: no-template-files
from mako.template import Template as Mako

from pandas.io.formats.style import Styler

# ruleid: no-template-files
Custom = Styler.from_custom_template("tpl", "a.html")
# ruleid: no-template-files
make = pd.DataFrame.style.from_custom_template

# ok: no-template-files
text = Template("$name has $n").substitute(name="Ann", n=1)
# ok: no-template-files
html = pd.DataFrame({"a": [1]}).style.format("{:.1f}").to_html()
