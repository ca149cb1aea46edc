"""What a text can be that a program puts together: exact texts where they are written out, else how far they are known.

Nothing of the program runs. Methods of strings are applied to the texts that are written out, so `"x" + chr(47)` or
`"dwssap/"[::-1]` is no hiding place, and a text that only code could spell is called hidden.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace

from .literals import CLIMBS

_MANY = 64
_LONG = 2048
_SHORT = 200
_SIMPLE = re.compile(r"(?:\[(?:[^\]\\]|\\.)+\]|\\.|[^()*+{}|?\[\]\\])*[+*]?")
"""Patterns with one quantifier at most, at their end: quick on any text."""
_SPEC = re.compile(r"%(?:\(\w+\))?[-+ #0-9.]*([a-zA-Z%])")
_FIELD = re.compile(r"\{[^{}]*\}")
_ODD_FIELD = re.compile(r"\{[^{}]*:[^{}]*(?:/|\.\s*[<>^]|c\})")
EXACT = {
    "lower": str.lower, "upper": str.upper, "title": str.title, "capitalize": str.capitalize, "casefold": str.casefold,
    "strip": str.strip, "lstrip": str.lstrip, "rstrip": str.rstrip, "removeprefix": str.removeprefix,
    "removesuffix": str.removesuffix, "replace": str.replace, "swapcase": str.swapcase,
}
"""Methods that are applied to what is written out."""


@dataclass(frozen=True, slots=True)
class Text:
    """Everything that is known of a text."""

    texts: frozenset[str] = frozenset()
    """What it can be, where that is written out."""
    hidden: bool = False
    """It may be a text that the program spells from literals in a way that is not followed."""
    number: bool = False
    data: bool = False
    """It may come from a file, a clock or a caller."""
    depth: int | None = None
    """For a path that is absolute, but in the working folder: how many levels below it lies."""

    @property
    def closed(self) -> bool:
        """Whether nothing but literals went into it."""
        return not self.data


NOTHING, DATA, HIDDEN, NUMBER = Text(), Text(data=True), Text(hidden=True), Text(number=True)


def exact(*texts: str) -> Text:
    return Text(frozenset(texts))


def either(parts: Iterable[Text]) -> Text:
    """One of these."""
    parts = list(parts)
    texts = frozenset(text for part in parts for text in part.texts)
    depths = [part.depth for part in parts if part.depth is not None]
    return Text(texts if len(texts) <= _MANY else frozenset(), hidden=any(part.hidden for part in parts),
                number=any(part.number for part in parts), data=any(part.data for part in parts) or len(texts) > _MANY,
                depth=min(depths) if depths else None)


def spelled(text: str) -> bool:
    """Whether pieces of a text can make a path that leaves the working folder."""
    return any(mark in text for mark in ("/", "\\", "~", "..", ":"))


def loose(part: Text) -> Text:
    """Its characters or pieces in another order."""
    if part.hidden or part.depth is not None or any(spelled(text) for text in part.texts):
        return HIDDEN
    return replace(part, texts=frozenset(), data=part.data or bool(part.texts), number=False)


def joined(left: Text, right: Text) -> Text:
    """Text after text."""
    if left.depth is not None and not all(text.startswith("/") for text in right.texts or {""}):
        return HIDDEN
    if left.hidden or right.hidden:
        return HIDDEN
    if left.depth is not None:
        return replace(left, depth=left.depth + 1, texts=frozenset())
    if left.texts and right.texts and len(left.texts) * len(right.texts) <= _MANY and not (left.data or right.data):
        whole = {one + other for one in left.texts for other in right.texts}
        if max(map(len, whole)) <= _LONG:
            return Text(frozenset(whole))
    # What cannot be multiplied out keeps its beginning, and what climbs anywhere in it.
    rest = {text for text in right.texts if CLIMBS.search(text)}
    begins = {text for text in left.texts if text} or (set(right.texts) if left == exact("") else set())
    return Text(frozenset(begins | rest), data=True)


def under(left: Text, right: Text) -> Text:
    """A path below a path; an absolute one on the right replaces the left."""
    whole = either([left, right])
    if left.depth is not None:
        steps = min((len([step for step in text.split("/") if step not in ("", ".")]) for text in right.texts), default=0)
        return replace(whole, depth=left.depth + steps)
    return replace(whole, number=False)


def up(part: Text, levels: int = 1) -> Text:
    """The folder so many levels above."""
    if part.depth is None:
        return part
    return HIDDEN if part.depth < levels else replace(part, depth=part.depth - levels, texts=frozenset())


def absolute(part: Text) -> Text:
    """A relative path, made absolute."""
    if part.depth is not None or part.hidden:
        return part
    steps = [len([step for step in text.split("/") if step not in ("", ".")]) for text in part.texts]
    return replace(part, depth=min(steps)) if steps else part


def applied(method: str, base: Text, arguments: list[Text]) -> Text:
    """A method of strings from EXACT."""
    if base.hidden or base.depth is not None or any(part.hidden for part in arguments):
        return HIDDEN
    if any(not part.texts or part.data for part in arguments) or len(arguments) > 2:
        return loose(either([base, *arguments]))
    function = EXACT[method]
    results = set()
    for text in base.texts:
        for first in arguments[0].texts if arguments else [None]:
            for second in arguments[1].texts if len(arguments) > 1 else [None]:
                given = [one for one in (first, second) if one is not None]
                try:
                    results.add(function(text, *given)[:_LONG])  # type: ignore[operator]
                except TypeError:
                    return loose(either([base, *arguments]))
    return replace(base, texts=frozenset(results)) if len(results) <= _MANY else loose(base)


def substituted(pattern: Text, replacement: Text, subject: Text) -> Text:
    """`re.sub` with a simple pattern, on what is written out."""
    if pattern.hidden or replacement.hidden or subject.hidden:
        return HIDDEN
    results = set()
    for one in pattern.texts:
        if not _SIMPLE.fullmatch(one) or not replacement.texts or subject.data:
            return loose(either([replacement, subject]))
        for other in replacement.texts:
            for text in subject.texts:
                try:
                    results.add(re.sub(one, other, text[:_SHORT]))
                except (re.error, IndexError):
                    return loose(either([replacement, subject]))
    return replace(subject, texts=frozenset(results)) if len(results) <= _MANY else loose(subject)


def normalised(form: Text, subject: Text) -> Text:
    """`unicodedata.normalize`, which can make a slash of what looks like one."""
    if subject.hidden:
        return HIDDEN
    for known in ("NFC", "NFD", "NFKC", "NFKD"):
        if form == exact(known):
            return replace(subject, texts=frozenset(unicodedata.normalize(known, text) for text in subject.texts))
    return HIDDEN


def percent(template: Text, values: list[Text]) -> Text:
    """`template % values`."""
    whole = either(values)
    if template.hidden or whole.hidden:
        return HIDDEN
    found = []
    for text in template.texts:
        kinds = _SPEC.findall(text)
        if "c" in kinds or any("*" in spec for spec in text.split("%")[1:2]):
            return HIDDEN
        plain = [kind for kind in kinds if kind != "%"]
        if plain == ["s"] * len(values) and all(len(value.texts) == 1 and not value.data for value in values):
            pieces = text.split("%s")
            given = [next(iter(value.texts)) for value in values]
            found.append(exact("".join(map("".join, zip(pieces, [*given, ""], strict=True)))[:_LONG]))
        else:
            found.append(_filled(text, _SPEC, whole))
    return either(found) if found else loose(either([template, whole]))


def braces(template: Text, values: list[Text]) -> Text:
    """`template.format(...)`."""
    whole = either(values)
    if template.hidden or whole.hidden or any(_ODD_FIELD.search(text) for text in template.texts):
        return HIDDEN
    return either([_filled(text, _FIELD, whole) for text in template.texts]) if template.texts else replace(
        loose(either([template, whole])), data=True)


def _filled(text: str, field: re.Pattern[str], whole: Text) -> Text:
    found = field.search(text)
    if "://" in text:
        return exact(field.sub("x", text))
    if found is None or found.start() > 0:
        return Text(frozenset({field.sub("x", text)}), data=True)
    tail = field.sub("x", text)
    return either([whole, Text(frozenset({tail}), data=True)])


def glued(separator: Text, items: list[Text] | None, whole: Text) -> Text:
    """`separator.join(items)`; `items` is null when they are not written out one by one."""
    if items is not None:
        result = exact("") if not items else items[0]
        for item in items[1:]:
            result = joined(joined(result, separator), item)
        return result
    if whole.data and not whole.hidden and not whole.texts:
        return DATA
    return loose(either([separator, whole]))


def repeated(part: Text, times: int | None) -> Text:
    """A text so many times."""
    if part.number and not part.texts:
        return NUMBER
    if times is None or not 0 <= times <= _MANY or not part.texts:
        return loose(part)
    return replace(part, texts=frozenset((text * times)[:_LONG] for text in part.texts))


def cut(part: Text, piece: slice | int | None) -> Text:
    """A slice of a text, or one of its characters."""
    if part.hidden or piece is None:
        return loose(part)
    try:
        return replace(part, texts=frozenset(text[piece] for text in part.texts))
    except IndexError:
        return loose(part)
