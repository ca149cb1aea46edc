"""Verdicts as SARIF 2.1.0, the form in which code hosts and editors read findings."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from .profile import Policy
from .verdict import Finding, Verdict

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVEL = {"ERROR": "error", "WARNING": "warning", "INFO": "note"}


def sarif_log(verdicts: Sequence[tuple[str, Verdict]], policy: Policy) -> dict[str, Any]:
    """One run over all files: (path, verdict) pairs. Paths are written as relative URIs with forward slashes."""
    rules: dict[str, dict[str, Any]] = {}
    results = []
    for path, verdict in verdicts:
        for finding in verdict.findings:
            rules.setdefault(finding.rule, _rule(finding, policy))
            results.append(_result(path, verdict, finding))
    order = {name: index for index, name in enumerate(rules)}
    for result in results:
        result["ruleIndex"] = order[result["ruleId"]]
    return {
        "$schema": _SCHEMA, "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "fumehood", "rules": list(rules.values()),
                                "properties": {"policy": policy.name, "policy_sha256": policy.sha256}}},
            "columnKind": "unicodeCodePoints",
            "artifacts": [{"location": {"uri": _uri(path)}, "hashes": {"sha-256": verdict.program_sha256},
                           "properties": {"verdict": verdict.decision}} for path, verdict in verdicts],
            "results": results,
        }],
    }


def _rule(finding: Finding, policy: Policy) -> dict[str, Any]:
    rule = policy.rules_by_id.get(finding.rule)
    entry: dict[str, Any] = {"id": finding.rule,
                             "shortDescription": {"text": rule.message if rule else finding.message},
                             "defaultConfiguration": {"level": _LEVEL[finding.severity]}}
    weakness = rule.definition.get("metadata", {}).get("cwe") if rule else None
    if weakness:
        entry["properties"] = {"tags": ["security", str(weakness)]}
    return entry


def _result(path: str, verdict: Verdict, finding: Finding) -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": max(finding.line, 1)}
    if finding.column:
        region["startColumn"] = finding.column
    if finding.source:
        region["snippet"] = {"text": finding.source}
    text = f"{finding.message} {finding.fix}".strip()
    return {"ruleId": finding.rule, "level": _LEVEL[finding.severity], "message": {"text": text},
            "partialFingerprints": {"fumehood/v1": f"{verdict.program_sha256}:{finding.rule}:{finding.line}"},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(path)}, "region": region}}]}


def _uri(path: str) -> str:
    return quote(path.replace("\\", "/"))
