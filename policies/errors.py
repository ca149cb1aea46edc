"""Errors of the gate.

PolicyError
├── PolicyInvalid      a profile or a rule is wrong; an operator must mend it
│   └── PolicyUnreadable  the file that was named is no profile at all
├── GateUnavailable    nothing can be judged here (no Semgrep, a broken core, a failed start-up proof)
└── NotApproved        a program without a fitting verdict was handed to something that runs programs

A program that is denied raises nothing: that is a Verdict.
"""


class PolicyError(Exception):
    """Base of the gate's errors. `str()` says what is wrong and what to do."""


class PolicyInvalid(PolicyError):
    """The policy itself is broken: unknown key, empty rule set, a rule that does not compile."""


class PolicyUnreadable(PolicyInvalid):
    """There is no such file, or it is no text in TOML: whoever named it meant another one."""


class GateUnavailable(PolicyError):
    """The gate cannot judge. Nothing may run."""


class NotApproved(PolicyError):
    """There is no fitting verdict for exactly these bytes."""
