from collections.abc import sys
