"""The explanation of an answer, in the goal's language, with no number that was not computed or given.

A model's prose is taken sentence by sentence. A template says what is missing, so that no second call is needed.
"""

import json
import re
from typing import Any, NamedTuple

from .numbers import Known, Source, in_json, in_text, numbers_in
from .state import Plan
from .terminal import clipped, readable

_LONGEST = 1500
_NUMBERS_SHOWN = 6


class Explanation(NamedTuple):
    text: str
    dropped: list[str]
    """One note per sentence that was left out, with the number that nothing supports."""


class _Words(NamedTuple):
    """The template of one language."""

    steps: str
    inputs: str
    result: str
    table: str
    output: str
    decimal: str
    percent: str


_LANGUAGES = {
    "en": _Words("Computed by a program in these steps: {}.", "Inputs: {}.", "Result: {}.", "{} rows with {}",
                 "The program's output is the answer.", ".", "{}%"),
    "fr": _Words("Calculé par un programme, en ces étapes : {}.", "Données : {}.", "Résultat : {}.", "{} lignes avec {}",
                 "La sortie du programme est la réponse.", ",", "{}\u202f%"),
    "de": _Words("Von einem Programm berechnet, in diesen Schritten: {}.", "Eingaben: {}.", "Ergebnis: {}.",
                 "{} Zeilen mit {}", "Die Ausgabe des Programms ist die Antwort.", ",", "{}\u00a0%"),
    "uk": _Words("Обчислено програмою, кроки: {}.", "Вхідні дані: {}.", "Результат: {}.", "рядків: {}, поля: {}",
                 "Вивід програми є відповіддю.", ",", "{}\u00a0%"),
}
_COMMON = {
    "en": "the of and is in for to what which how each per by with from mean total compute show find give average count",
    "fr": "le la les des du une un et est pour par quel quelle dans sur avec moyenne chaque calcule donne combien entre",
    "de": "der die das und ist von für je pro mit wie welche aus im den eine ein berechne durchschnitt gib jeden jede",
}


def language_of(goal: str) -> str:
    """`en`, `fr`, `de` or `uk`, by letters and the commonest words; English where nothing tells."""
    if len(re.findall("[\u0400-\u04ff]", goal)) > len(re.findall("[A-Za-z]", goal)):
        return "uk" if re.search("[іїєґІЇЄҐ]", goal) or not re.search("[ыэъёЫЭЪЁ]", goal) else "en"
    words = re.findall(r"[a-zà-öø-ÿœ]+", goal.lower())
    scores = {name: sum(word in common.split() for word in words) for name, common in _COMMON.items()}
    scores["fr"] += len(re.findall("[éèêàçœùîô]", goal.lower()))
    scores["de"] += len(re.findall("[äöüß]", goal.lower()))
    best = max(scores, key=lambda name: scores[name])
    return best if scores[best] > scores["en"] else "en"


def explanation(plan: Plan | None, result_json: str | None, prose: str, goal: str, output: str = "", *,
                inputs: list[str] | None = None) -> Explanation:
    """The text (at most about 1,500 characters) and what was dropped of the model's prose.

    `output`: what the program printed. Every number of the text stands in the result, the output, the plan's constants
    or the goal, as it is or rounded.
    """
    words = _LANGUAGES[language_of(goal)]
    sources = [*in_json(result_json), *in_text(readable(output)), *in_text(goal)]
    sources += [Source(float(value)) for value in (plan.constants if plan else [])]
    known = Known(sources)
    kept, dropped = _checked(prose, known)
    told = any(numbers_in(sentence) for sentence in kept)
    parts = [" ".join(kept)] if kept else []
    if not kept and plan and plan.steps:
        steps = [step.strip().rstrip(".") for step in plan.steps if not _unsupported(step, known)]
        if steps:
            parts.append(words.steps.format(clipped("; ".join(steps), 600)))
    if not kept and inputs:
        parts.append(words.inputs.format(", ".join(inputs[:10])))
    shown = _result(result_json, words)
    if shown and not told:
        parts.append(words.result.format(shown))
    elif not shown and not parts and output.strip():
        parts.append(words.output)
    return Explanation(clipped("\n".join(parts), _LONGEST), dropped)


_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"”»)]*\s+(?=[\"“„«(]?[A-ZÀ-ÞА-ЯҐЄІЇ*])|\n+")
_FORWARD = re.compile(
    r"^(let me|i will|i'll|here is|here's|this program|the (program|code|script) (below )?(will|prints|reads)|voici|je vais|"
    r"hier ist|ich werde|ось програма|зараз)\b|:$", re.I)


def _checked(prose: str, known: Known) -> tuple[list[str], list[str]]:
    """Sentences that may stand, and a note for each that may not. What only announces a program is left out silently."""
    kept, dropped = [], []
    for raw in _SENTENCE_END.split(re.sub(r"#[ \t]*TASK_COMPLETE", "", readable(prose))):
        sentence = re.sub(r"[*`]{1,3}|^#+ |^\s*[-•] ", "", raw).strip()
        if not sentence or _FORWARD.search(sentence):
            continue
        missing = _unsupported(sentence, known)
        if missing:
            dropped.append(f"a sentence of the explanation was dropped: {missing[0]} stands neither in the result nor "
                           f"in the output ({clipped(sentence, 160)!r})")
        else:
            kept.append(sentence)
    return kept, dropped


def _unsupported(sentence: str, known: Known) -> list[str]:
    return [written.text for written in numbers_in(sentence) if not known.supports(written)]


def _result(result_json: str | None, words: _Words) -> str:
    """The key numbers of the result, at most six, written as the language writes them."""
    if result_json is None:
        return ""
    value = json.loads(result_json)
    if not isinstance(value, dict):
        return _value("", value, words)
    told = [(str(key), _value(str(key), item, words)) for key, item in list(value.items())[:_NUMBERS_SHOWN]]
    return "; ".join(f"{readable(key)[:60]} = {text}" for key, text in told)


def _value(name: str, value: Any, words: _Words) -> str:
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, int | float):
        text = str(value) if isinstance(value, int) else repr(round(value, 6))
        text = (text if len(text) <= 60 else f"{text[:40]}…{text[-10:]}").replace(".", words.decimal)
        return words.percent.format(text) if re.search(r"percent|pct|%|prozent|pourcent|відсот", name, re.I) else text
    if isinstance(value, str):
        return clipped(readable(value), 120)
    if isinstance(value, dict):
        return "{" + ", ".join(readable(str(key))[:40] for key in list(value)[:6]) + "}"
    if value and isinstance(value[0], dict):
        return words.table.format(len(value), ", ".join(readable(str(key))[:40] for key in list(value[0])[:6]))
    if len(value) <= 6 and all(isinstance(item, int | float | str) for item in value):
        return "[" + "; ".join(_value(name, item, words) for item in value) + "]"
    return f"[{len(value)}]"
