"""Names that mean something else than the scope around them says: the tree alone must tell."""

import ast

import pytest
from fumehood.policies.profile import Policy
from fumehood.policies.tree import walk_program

PROGRAMS = {
    "except_deletes_help":
        'help = 1\ntry:\n    raise ValueError\nexcept ValueError as help:\n    pass\nh = help\nh("modules")\n',
    "except_deletes_vars_plain":
        'vars = 1\ntry:\n    raise ValueError\nexcept ValueError as vars:\n    pass\nkind = type\nprint(vars(kind))\n',
    "glob_class_in_class":
        'import numpy as np\ndef outer(np=None):\n    class A:\n        class B:\n            global np\n'
        '            x = [np]\n    return A\nprint(outer())\n',
    "glob_in_try":
        'import numpy as np\ndef outer(np=None):\n    def inner():\n        try:\n            global np\n'
        '        finally:\n            pass\n        return [np]\n    return inner()\nprint(outer())\n',
    "global_in_class":
        'def outer(eval=None):\n    class Row:\n        global eval\n        value = eval\n    return Row.value\n'
        'outer()("1")\n',
    "global_in_inner":
        'def outer(eval=None):\n    def inner():\n        global eval\n        return eval\n    return inner()\n'
        'f = outer()\nf("1")\n',
    "global_module":
        'import numpy as np\ndef outer(np=None):\n    def inner():\n        global np\n        return np\n'
        '    return inner()\nm = outer()\nprint(m)\n',
    "imp_class":
        'import numpy as np\ndef outer(np=None):\n    class A:\n        import numpy as np\n        x = np\n'
        '    return A.x\nprint(outer())\n',
    "imp_inner":
        'def outer(os=None):\n    def inner(c):\n        import os\n        return os\n    return inner\n'
        'print(outer()("id"))\n',
}
HARMLESS = (
    "total = 0\ndef outer(json=None):\n    def add(step):\n        global total\n        total += step\n"
    "        return json\n"
    "    return add(1)\nouter()\n",
    "def load(json):\n    class Row:\n        value = json\n    return Row.value\nload(1)\n",
    "vars = [1]\ntry:\n    print(vars)\nexcept OSError as error:\n    print(error)\nprint(vars)\n",
)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_name_from_outside_of_the_functions_around(policy: Policy, name: str) -> None:
    assert any(finding.severity == "ERROR" for finding in walk_program(ast.parse(PROGRAMS[name]), policy)[0])


@pytest.mark.parametrize("program", HARMLESS)
def test_names_of_the_functions_around(policy: Policy, program: str) -> None:
    assert walk_program(ast.parse(program), policy)[0] == []


@pytest.mark.parametrize("builtin", ["reversed", "enumerate", "zip", "sorted"])
def test_a_loop_over_nothing_but_stars(policy: Policy, builtin: str) -> None:
    assert walk_program(ast.parse(f"rows = [[1]]\nfor row in {builtin}(*rows):\n    print(row)\n"), policy)[0] == []
