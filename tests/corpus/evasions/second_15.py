import re
re._compiler.compile
