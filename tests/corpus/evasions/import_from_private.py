from collections import _sys
