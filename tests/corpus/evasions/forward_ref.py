from typing import ForwardRef
