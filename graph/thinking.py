"""What a model thought aloud is no part of its reply. Where it ends is a question of tags, and tags can be data."""

import re

from .fences import blocks
from .syntax import mend, parses

_TAG = re.compile(r"<(?P<close>/?)(?:think|thinking|thoughts?|reasoning|reflection|scratchpad|antthinking|seed:think)\s*>"
                  r"|\[(?P<close2>/?)THINK\]|◁(?P<close3>/?)think▷", re.I)
_FINAL_CHANNEL = "<|channel|>final<|message|>"
_SECTIONS = 20


def _closing(tag: re.Match[str]) -> bool:
    return "/" in (tag["close"] or "", tag["close2"] or "", tag["close3"] or "")


def _is_data(text: str, tag: re.Match[str]) -> bool:
    """Whether a tag stands inside a code block or a code span and so means nothing."""
    if text[:tag.start()].endswith("`") and text[tag.end():].startswith("`"):
        return True
    if not re.search(r"```|~~~", text[:tag.start()]):
        return False
    line = text.count("\n", 0, tag.start())
    block = next((b for b in blocks(text) if b.start <= line < b.end), None)
    if block is None:
        return False
    alone = text.split("\n")[line].strip() == tag[0].strip()
    # A draft's fence that was never closed: what is alone on its line and no Python, with another fence after it.
    later = re.search(r"^[ \t]*(```|~~~)", text[tag.end():], re.M)
    return not (alone and later and _closing(tag) and not parses(mend(block.code)[0]))


def without_thinking(text: str) -> tuple[str, bool]:
    """The text without its thinking sections, and whether one was begun and never ended.

    A closing tag without an opening one ends a section that began with the reply: many chat templates write the
    opening tag themselves.
    """
    stripped = text.lstrip()
    if stripped.startswith(("<|channel|>", "<|start|>")):
        _before, final, after = text.rpartition(_FINAL_CHANNEL)
        return (re.split(r"<\|(?:end|return|call)\|>", after)[0], False) if final else ("", True)
    position = 0
    for _ in range(_SECTIONS):
        tag = _TAG.search(text, position)
        if tag is None:
            break
        opens = not _closing(tag)
        at_line_start = not text[:tag.start()].rpartition("\n")[2].strip()
        if (opens and not at_line_start) or _is_data(text, tag):
            position = tag.end()
            continue
        if not opens:
            text, position = text[tag.end():], 0
            continue
        end = next((other for other in _TAG.finditer(text, tag.end()) if _closing(other)), None)
        if end is None:
            return text[:tag.start()], True
        text, position = text[:tag.start()] + text[end.end():], tag.start()
    return text, False
