from typing import List
def g(x: List["eval('print(1)')"]):
    return 2
