"""`doctor`: what works on this machine, tried, how strong it is, and what to do about the rest."""

import sys
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..graph.errors import ModelError
from ..graph.live import live_for
from ..graph.models import open_chat
from ..graph.settings import Settings
from .config import read_environment, settings_from
from .exits import ANSWERED, MACHINERY, explained, print_json


def examine(*, as_json: bool) -> None:
    """Try gate, engines and model; ends with 4 where no program could be run safely here."""
    with explained(as_json=as_json):
        from ..policies.profile import load_policy
        from ..sandbox.doctor import diagnose
        from ..sandbox.engines import engine_named
        from ..sandbox.importable import not_installed

        environment = read_environment()
        settings = settings_from(environment)
        policy = load_policy(environment.policy)
        live = live_for(settings)
        gate = live.gate(environment.policy).unavailable()
        engines = diagnose([engine_named(name, home=settings.home_path) for name in policy.engines])
        missing = {name: names for name in policy.engines
                   if (names := not_installed(policy.imports, name, settings.home_path))}
        model = _model(settings.model, settings)
        second = _model(settings.fallback_model, settings) if settings.fallback_model else None
    usable = gate is None and any(report.usable for report in engines)
    document: dict[str, Any] = {
        "usable": usable, "gate": {"available": gate is None, "problem": gate, "policy": policy.name},
        "engines": [report.model_dump(mode="json") for report in engines], "model": model,
        "fallback_model": second,
        "not_installed": missing}
    if as_json:
        print_json(document)
    else:
        _print(Console(highlight=False), document, [report.text() for report in engines])
    sys.exit(ANSWERED if usable else MACHINERY)


def _model(name: str | None, settings: Settings) -> dict[str, Any]:
    """Whether a model can be asked; makes no paid call. Without a name: the one that a run would take."""
    try:
        chat = open_chat(name, settings.model_copy(update={"fallback_model": None, "record": None}))
        problem = chat.unavailable()
    except ModelError as error:
        return {"name": name, "available": False, "problem": str(error)}
    return {"name": chat.label, "available": problem is None, "problem": problem}


def _print(console: Console, document: dict[str, Any], engines: list[str]) -> None:
    table = Table(box=None, show_header=False)
    table.add_column(style="bold")
    table.add_column()
    gate, model = document["gate"], document["model"]
    table.add_row("gate", f"works, policy {escape(gate['policy'])}" if gate["available"] else escape(str(gate["problem"])))
    for text in engines:
        head, _, rest = text.partition("\n")
        table.add_row("engine", escape(head) + (f"\n{escape(rest)}" if rest else ""))
    for engine, names in document["not_installed"].items():
        table.add_row(escape(engine), f"allowed by the policy but not installed: {escape(', '.join(names))}\n"
                      "add them with `fumehood sandbox build --requirements FILE`")
    for title, found in (("model", model), ("fallback model", document["fallback_model"])):
        if found is not None:
            table.add_row(title, escape(str(found["name"])) if found["available"]
                          else escape(": ".join(filter(None, [found["name"], str(found["problem"])]))))
    console.print(table)
    console.print("\n[bold]Programs can be run safely here.[/bold]" if document["usable"]
                  else "\n[bold red]No program can be run here until the above is mended.[/bold red]")
