"""Profiles: what they say is what is enforced, and whatever is wrong in one is an error that says what to do."""

import json
import re
from pathlib import Path

import pytest
from fumehood.policies.errors import PolicyInvalid
from fumehood.policies.profile import Policy, load_policy, show_policy
from fumehood.policies.profile_file import SHIPPED_PROFILES, shipped_profiles
from pydantic import ValidationError

RULE = """
rules:
  - id: no-spam
    languages: [python]
    severity: ERROR
    message: no spam; leave it out
    pattern: spam(...)
"""
WHOLE = """
name = "own"
imports = ["json", "numpy.*"]
rules = ["rules"]
[limits_ceiling]
wall_s = 10
cpu_s = 10
memory_mb = 256
processes = 16
workspace_mb = 64
output_kb = 1024
files = 100
[kinds]
scalar = "allow"
table = "allow"
file_conversion = "allow"
chart = "allow"
simulation = "allow"
fitting = "review"
[cost]
low = "allow"
medium = "allow"
high = "deny"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "no-spam.yml").write_text(RULE)
    return tmp_path


def written(folder: Path, text: str, name: str = "own.toml") -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def refused(folder: Path, text: str) -> str:
    with pytest.raises(PolicyInvalid) as caught:
        load_policy(written(folder, text))
    return str(caught.value)


# The shipped profiles


def test_three_profiles_are_shipped_and_data_analysis_is_the_default() -> None:
    assert shipped_profiles() == ["data-analysis", "file-processing", "pure-computation"]
    assert load_policy() == load_policy("data-analysis")
    assert load_policy().name == "data-analysis"


@pytest.mark.parametrize("name", ["data-analysis", "file-processing", "pure-computation"])
def test_shipped_profile_is_whole(name: str) -> None:
    policy = load_policy(name)
    assert policy.name == name
    assert re.fullmatch(r"[0-9a-f]{64}", policy.sha256)
    assert set(policy.lines) == set(policy.imports)
    assert len(policy.rules) == len(policy.rule_set) >= 60
    assert policy.unscannable == "deny"
    assert not policy.approval_limits.above(policy.limits_ceiling)
    assert {"eval", "exec", "compile", "__import__", "globals", "setattr"} <= set(policy.denied_names)
    assert {"os", "sys", "f_globals", "gi_frame", "read_pickle"} <= set(policy.denied_attributes)


@pytest.mark.parametrize("name", ["data-analysis", "file-processing", "pure-computation"])
def test_every_setting_of_a_shipped_profile_says_why(name: str) -> None:
    lines = (SHIPPED_PROFILES / f"{name}.toml").read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines):
        if re.match(r"\w+ = (?!\{)", line) and not line.startswith(("name", "description")):
            blank = max((index for index in range(number) if not lines[index].strip()), default=0)
            assert "#" in "".join(lines[blank:number + 2]), f"{name}: {line}"


def test_pure_computation_opens_no_file_and_has_no_library() -> None:
    policy = load_policy("pure-computation")
    assert "open" in policy.denied_names
    assert "open" in policy.denied_attributes
    assert "os" not in policy.partial_imports
    assert [module for module in ("numpy", "pandas", "pathlib", "sqlite3", "os") if policy.allowing(module)] == []
    assert policy.kinds["file_conversion"] == "deny"


# Imports


@pytest.mark.parametrize(("module", "entry"), [
    ("numpy", "numpy.*"),
    ("numpy.linalg", "numpy.*"),
    ("json", "json"),
    ("json.decoder", None),
    ("jsonx", None),
    ("numpyx", None),
    ("collections.abc", "collections.abc"),
    ("urllib", "urllib.parse"),
    ("urllib.request", None),
    ("urllib.parse", "urllib.parse"),
    ("numpy.ctypeslib", None),
    ("numpy.lib", None),
    ("numpy.lib.format", None),
    ("numpy.lib.stride_tricks", None),
    ("matplotlib.backends.backend_pdf", None),
    ("matplotlib.backends.backend_tkagg", None),
    ("os", None),
    ("", None),
])
def test_which_entry_allows_a_module(module: str, entry: str | None) -> None:
    assert load_policy().allowing(module) == entry


def test_the_longest_denied_submodule_is_named() -> None:
    policy = load_policy()
    assert policy.refusing("pandas.io.common") == "pandas.io"
    assert policy.refusing("pandas.iox") is None
    assert policy.refusing("numpy.linalg") is None


def test_a_line_is_kept_for_every_import_so_that_a_refusal_can_name_it(folder: Path) -> None:
    path = written(folder, WHOLE.replace('["json", "numpy.*"]', '[\n  "json", # data\n  # "csv",\n  "numpy.*",\n]'))
    policy = load_policy(path)
    assert policy.lines == {"json": f"{path}:4", "numpy.*": f"{path}:6"}


def test_partial_imports_name_parts_of_a_module(folder: Path) -> None:
    policy = load_policy(written(folder, WHOLE + '[partial_imports]\nos = ["path.join", "sep"]\n'))
    assert policy.partial_imports == {"os": ["path.join", "sep"]}
    assert "lists no names" in refused(folder, WHOLE + "[partial_imports]\nos = []\n")
    both = refused(folder, WHOLE + '[partial_imports]\njson = ["loads"]\n')
    assert "json stands in imports and in partial_imports" in both


# A file of one's own


def test_own_profile_without_a_base(folder: Path) -> None:
    policy = load_policy(written(folder, WHOLE))
    assert policy.imports == ["json", "numpy.*"]
    assert [rule.id for rule in policy.rule_set] == ["no-spam"]
    assert policy.rules == [folder / "rules" / "no-spam.yml"]
    assert policy.approval_limits == policy.limits_ceiling
    assert policy.engines == ["docker", "bubblewrap", "landlock"]
    assert policy.requirements.network == "filter"


def test_extending_adds_and_removes(folder: Path) -> None:
    base = load_policy()
    policy = load_policy(written(folder, """
extends = "data-analysis"
runtime_image = "sha256:0123"
engines = ["docker:runsc"]
[requirements]
hard = ["memory"]
[limits_ceiling]
wall_s = 900
[kinds]
simulation = "deny"
[add]
imports = ["sklearn.*"]
rules = ["rules"]
[remove]
imports = ["PIL.*"]
rules = ["no-unescaped-html"]
partial_imports = ["os"]
"""))
    assert policy.name == "own"
    assert set(base.imports) - set(policy.imports) == {"PIL.*"}
    assert set(policy.imports) - set(base.imports) == {"sklearn.*"}
    assert policy.allowing("sklearn.linear_model") == "sklearn.*"
    assert policy.lines["sklearn.*"].startswith(f"{folder}/own.toml:")
    assert policy.lines["json"] == base.lines["json"]
    ids = {rule.id for rule in policy.rule_set}
    assert ids == {rule.id for rule in base.rule_set} - {"no-unescaped-html"} | {"no-spam"}
    assert set(base.partial_imports) - set(policy.partial_imports) == {"os"}
    assert policy.limits_ceiling.wall_s == 900
    assert policy.limits_ceiling.memory_mb == base.limits_ceiling.memory_mb
    assert policy.kinds["simulation"] == "deny"
    assert policy.kinds["scalar"] == "allow"
    assert policy.engines == ["docker:runsc"]
    assert policy.requirements.hard == ["memory"]
    assert policy.runtime_image == "sha256:0123"


def test_extending_in_two_steps_by_a_path_beside(folder: Path) -> None:
    written(folder, 'extends = "pure-computation"\n[add]\nimports = ["numpy.*"]\n', "team.toml")
    policy = load_policy(written(folder, 'extends = "team.toml"\npreview = "rows"\n[remove]\nimports = ["secrets"]\n'))
    assert policy.allowing("numpy")
    assert policy.allowing("secrets") is None
    assert policy.preview == "rows"
    assert policy.lines["numpy.*"] == f"{folder}/team.toml:3"


def test_extra_rules_come_beside_those_of_the_profile(folder: Path) -> None:
    policy = load_policy("pure-computation", extra_rules=[folder / "rules"])
    assert "no-spam" in policy.rules_by_id
    assert "no-eval" in policy.rules_by_id


# The digest


def test_digest_is_of_what_is_enforced_and_not_of_where_it_lies(folder: Path,
                                                                tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "rules").mkdir()
    (elsewhere / "rules" / "no-spam.yml").write_text(RULE)
    first, second = load_policy(written(folder, WHOLE)), load_policy(written(elsewhere, "# a comment\n" + WHOLE))
    assert first.source != second.source
    assert first.sha256 == second.sha256


@pytest.mark.parametrize(("old", "new"), [
    ('"json"', '"csv"'), ("wall_s = 10", "wall_s = 11"), ('fitting = "review"', 'fitting = "allow"'),
    ('high = "deny"', 'high = "review"'), ('name = "own"', 'name = "own"\napproval = "always"'),
    ('name = "own"', 'name = "own"\ndenied_names = ["eval"]'), ('name = "own"',
                                                                'name = "own"\nruntime_image = "sha256:1"'),
])
def test_digest_changes_with_every_setting(folder: Path, old: str, new: str) -> None:
    before = load_policy(written(folder, WHOLE)).sha256
    assert load_policy(written(folder, WHOLE.replace(old, new))).sha256 != before


def test_digest_changes_with_a_rule(folder: Path) -> None:
    path = written(folder, WHOLE)
    before = load_policy(path)
    (folder / "rules" / "no-spam.yml").write_text(RULE.replace("spam(...)", "ham(...)"))
    after = load_policy(path)
    assert before.sha256 != after.sha256
    assert before.rule_set[0].definition["pattern"] == "spam(...)"
    assert after.rule_set[0].definition["pattern"] == "ham(...)"


def test_a_policy_cannot_be_changed() -> None:
    policy = load_policy()
    with pytest.raises(ValidationError):
        policy.approval = "never"  # type: ignore[misc]
    with pytest.raises(ValidationError):
        Policy(**{**policy.model_dump(), "network": "open"})


# What is wrong is said


@pytest.mark.parametrize(("text", "said"), [
    (WHOLE.replace('name = "own"', 'name = "own"\nimportz = ["csv"]'), "unknown key `importz`"),
    (WHOLE + "[requirements]\nstrong = true\n", "unknown key `requirements.strong`"),
    (WHOLE.replace("files = 100", "files = 100\nnetwork_mb = 1"), "unknown key `limits_ceiling.network_mb`"),
    (WHOLE.replace("files = 100\n", ""), "`limits_ceiling.files` is missing"),
    (WHOLE.replace("wall_s = 10", "wall_s = 0"), "limits_ceiling.wall_s"),
    (WHOLE.replace('scalar = "allow"\n', ""), "kinds says nothing about scalar"),
    (WHOLE.replace('low = "allow"\n', ""), "cost says nothing about low"),
    (WHOLE.replace('high = "deny"', 'high = "maybe"'), "cost.high"),
    (WHOLE.replace('"json"', '"json.*.x"'), "'json.*.x' is not a dotted module name"),
    (WHOLE.replace('"json"', '"json", "json"'), "'json' is listed twice"),
    (WHOLE.replace('"json"', '"js on"'), "'js on' is not a dotted module name"),
    (WHOLE.replace('name = "own"', 'name = "own"\nengines = []'), "engines"),
    (WHOLE.replace('name = "own"', 'name = "own"\nengines = ["Docker Desktop"]'), "not an engine name"),
    (WHOLE.replace('name = "own"', 'name = "own"\nunscannable = "allow"'), "unscannable"),
    (WHOLE.replace('name = "own"', 'name = "own"\ndenied_names = ["os.system"]'), "'os.system' is not a Python name"),
    (WHOLE.replace('name = "own"', 'name = "own"\nsha256 = "0"'), "unknown key `sha256`"),
    (WHOLE.replace('rules = ["rules"]', "rules = []"), "no rules at all"),
    (WHOLE.replace('rules = ["rules"]', ""), "no rules at all"),
    (WHOLE.replace('rules = ["rules"]', 'rules = "rules"'), "must be a list"),
    (WHOLE.replace('rules = ["rules"]', 'rules = ["p/python"]'), "registry"),
    (WHOLE.replace('rules = ["rules"]', 'rules = ["https://example.org/rules.yml"]'), "registry"),
    (WHOLE.replace('rules = ["rules"]', 'rules = ["auto"]'), "registry"),
    (WHOLE.replace('rules = ["rules"]', 'rules = ["nofile.yml"]'), "nofile.yml: no such rule file"),
    (WHOLE + "[approval_limits]\nwall_s = 11\n", "approval_limits exceed limits_ceiling in wall_s"),
    (WHOLE + '[add]\nimports = ["csv"]\n', "need `extends`"),
    ('extends = "nothing"\n', "no policy 'nothing': neither a shipped profile (data-analysis"),
    ('extends = ["data-analysis"]\n', "name or path of one profile"),
    ('extends = "own.toml"\n', "in a circle"),
    ('extends = "data-analysis"\n[remove]\nrules = ["no-such"]\n',
     "remove.rules names rules that do not exist: no-such"),
    ('extends = "data-analysis"\n[remove]\nimports = ["PIL"]\n', "remove.imports names what is not there: PIL"),
    ('extends = "data-analysis"\n[add]\nname = ["x"]\n', "`name` is not a list"),
    ('extends = "data-analysis"\n[add]\nimports = "csv"\n', "must be a list of texts"),
    ('extends = "data-analysis"\n[add]\nspices = ["csv"]\n', "unknown key `spices`"),
    ("name = ", "cannot be read as TOML"),
])
def test_what_is_wrong_is_an_error_that_says_so(folder: Path, text: str, said: str) -> None:
    message = refused(folder, text)
    assert said in message
    assert re.match(r"/\S+\.(toml|yml): |p/python: |auto: |https:|nofile|the policy has no rules", message)


def test_unreadable_bytes_are_said(folder: Path) -> None:
    (folder / "own.toml").write_bytes(b'name = "\xff"')
    with pytest.raises(PolicyInvalid, match=r"own\.toml is not UTF-8"):
        load_policy(str(folder / "own.toml"))


def test_all_rules_removed_is_an_error(folder: Path) -> None:
    written(folder, WHOLE, "base.toml")
    said = refused(folder, 'extends = "base.toml"\n[remove]\nrules = ["no-spam"]\n')
    assert "every rule was removed" in said


def test_missing_file_names_the_shipped_profiles() -> None:
    with pytest.raises(PolicyInvalid, match="data-analysis, file-processing, pure-computation"):
        load_policy("/nowhere/policy.toml")


# Showing


def test_show_gives_the_effective_policy_as_json(folder: Path) -> None:
    policy = load_policy(written(folder, WHOLE))
    shown = json.loads(json.dumps(show_policy(policy)))
    assert shown["sha256"] == policy.sha256
    assert shown["imports"] == [{"entry": "json", "line": f"{folder}/own.toml:3"},
                                {"entry": "numpy.*", "line": f"{folder}/own.toml:3"}]
    assert shown["rules"] == [{"id": "no-spam", "severity": "ERROR", "message": "no spam; leave it out", "fix": "",
                               "file": str(folder / "rules" / "no-spam.yml")}]
    assert shown["cost"] == {"low": "allow", "medium": "allow", "high": "deny"}
