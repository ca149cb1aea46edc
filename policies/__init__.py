"""The policy gate: profiles, Semgrep rules, and the verdict for exactly these bytes under exactly this policy."""
