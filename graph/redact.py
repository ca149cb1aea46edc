"""Secrets taken out of text before it is written where others may read it."""

import os
import re
from collections.abc import Mapping

REMOVED = "[removed]"

_SHAPES = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
    r"|\bsk-[A-Za-z0-9_-]{16,}"
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"
    r"|\bgh[oprsu]_[A-Za-z0-9]{20,}\b|\bgithub_pat_[A-Za-z0-9_]{20,}\b"
    r"|\bglpat-[A-Za-z0-9_-]{16,}"
    r"|\bhf_[A-Za-z0-9]{20,}\b"
    r"|\bAIza[0-9A-Za-z_-]{30,}"
    r"|\bxox[abprs]-[A-Za-z0-9-]{10,}"
    r"|\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+",
    re.DOTALL)
_BEARER = re.compile(r"(?i)\b(bearer\s+)[A-Za-z0-9._~+/-]{16,}=*")
_URL_PASSWORD = re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://[^\s/:@]+:)[^\s/@]{3,}(@)")
_SECRET_NAME = re.compile(r"(?i)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL)S?$")
_SHORTEST_VALUE = 8
"""Shorter values of secret variables are left alone: they are words like `ollama` and would tear holes in the text."""


def without_secrets(text: str, environment: Mapping[str, str] | None = None) -> str:
    """The text with keys, tokens and passwords replaced by `[removed]`.

    Known shapes go, and every value of an environment variable whose name ends like a secret's (`…_KEY`, `…_TOKEN`).
    """
    environment = os.environ if environment is None else environment
    values = {value for name, value in environment.items()
              if _SECRET_NAME.search(name) and len(value) >= _SHORTEST_VALUE}
    for value in sorted(values, key=len, reverse=True):
        text = text.replace(value, REMOVED)
    text = _SHAPES.sub(REMOVED, text)
    text = _BEARER.sub(rf"\1{REMOVED}", text)
    return _URL_PASSWORD.sub(rf"\1{REMOVED}\2", text)
