import json

from fumehood.policies.gate import Gate
from fumehood.policies.sarif import sarif_log


def test_findings_are_written_as_sarif(gate: Gate) -> None:
    bad, good = "import os\nos.system('id')\n", "print(1)\n"
    log = sarif_log([("a b/bad.py", gate.judge(bad)), ("good.py", gate.judge(good))], gate.policy)
    again = json.loads(json.dumps(log))
    assert again["version"] == "2.1.0"
    (run,) = again["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert run["results"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "a%20b/bad.py"
        assert place["region"]["startLine"] >= 1
    assert any(result["locations"][0]["physicalLocation"]["region"]["startLine"] == 2 for result in run["results"])
    assert [item["properties"]["verdict"] for item in run["artifacts"]] == ["deny", "allow"]
    assert any("CWE-" in tag for rule in rules for tag in rule.get("properties", {}).get("tags", []))


def test_a_finding_without_a_line_points_at_the_first(gate: Gate) -> None:
    log = sarif_log([("x.py", gate.judge(b"x" * 200_000))], gate.policy)
    assert log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 1
