"""Live progress on stderr while the nodes run. Never on stdout."""

import sys
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape

VERBS = {"plan": "planning", "generate": "writing a program", "check_policy": "judging it", "approve": "asking a person",
         "prepare": "choosing a sandbox", "run": "running it", "validate": "checking the result",
         "fall_back": "taking the fallback program", "finish": "finishing"}
_SHOWN = {"names": "the names and sizes", "schema": "a preview without values", "rows": "a preview with first rows"}
"""What a model is shown of the inputs, by the level of the preview."""


class Progress:
    """Prints one line per node, the program's output as it comes, and tokens where they are wanted."""

    def __init__(self, *, quiet: bool = False, tokens: bool | None = None) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._quiet = quiet
        self._tokens = self._console.is_terminal if tokens is None else tokens
        self._open_line = False

    def __call__(self, event: Mapping[str, Any]) -> None:
        if self._quiet:
            return
        data = event["data"]
        if event["mode"] == "tasks":
            if "input" in data and data["name"] in VERBS:
                self._line(f"[dim]· {VERBS[data['name']]}[/dim]")
        elif event["mode"] == "custom":
            self._custom(data)

    def _custom(self, data: Mapping[str, Any]) -> None:
        match data.get("event"):
            case "token" if self._tokens and data["purpose"] == "program":
                self._raw(data["text"])
            case "output":
                self._raw(data["text"])
            case "leaving":
                inputs = ", ".join(data["inputs"])
                shown = "" if data["level"] == "none" else (
                    f" and {_SHOWN[data['level']]} ({data['characters']:,} characters) of {inputs}")
                rest = "; the rest of the files stays here" if inputs else ""
                told = f"{data['model']} is told the goal{shown}, then what its programs print{rest}"
                self._line(f"[dim]  {escape(told)}[/dim]")
            case "model_called":
                recorded = " (a recording)" if data["recorded"] else ""
                self._line(f"[dim]  {escape(data['model'])}{recorded}[/dim]")
            case "judged":
                colour = {"allow": "green", "review": "yellow", "deny": "red"}[data["decision"]]
                where = ", ".join(dict.fromkeys(
                    (f"line {item['line']} " if item["line"] else "") + item["rule"] for item in data["findings"]))
                self._line(f"  verdict: [{colour}]{data['decision']}[/{colour}] [dim]{escape(where)}[/dim]".rstrip())
            case "prepared":
                self._line(f"[dim]  in {escape(data['engine'])}[/dim]")
            case "engine_failed":
                self._line(f"  [yellow]{escape(data['engine'])} failed: {escape(data['why'])}[/yellow]")
            case "executed" if data["outcome"] != "completed":
                self._line(f"  [red]{escape(data['outcome'])}[/red] {escape(data['message'])}")
            case "validated" if data["reason"]:
                self._line(f"  [yellow]{escape(str(data['reason']))}[/yellow] {escape(data['detail'])}")

    def _line(self, text: str) -> None:
        if self._open_line:
            self._console.print()
            self._open_line = False
        self._console.print(text)

    def _raw(self, text: str) -> None:
        """Text of the model or the program: no markup, no control codes on the terminal."""
        shown = "".join(sign if sign in "\n\t" or sign.isprintable() else "·" for sign in text)
        sys.stderr.write(shown)
        sys.stderr.flush()
        self._open_line = not shown.endswith("\n")
