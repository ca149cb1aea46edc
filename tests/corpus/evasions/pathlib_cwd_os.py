from pathlib import os
