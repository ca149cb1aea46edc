import os
o = os
o.system("id")
