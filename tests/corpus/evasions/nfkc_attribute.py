import random
random.＿os
