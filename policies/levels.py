"""What the policy says about a program's calls, its kinds of computation, its estimated cost and its tools."""

from .profile import Policy
from .verdict import Decision, Facts, Finding, finding_at


def level_findings(facts: Facts, policy: Policy) -> list[Finding]:
    """Denials, and what a person is asked, by the profile's own lists."""
    findings = []
    for call in facts.calls:
        if call in policy.review_calls or call.rsplit(".", 1)[-1] in policy.review_calls:
            findings.append(finding_at(None, "review-call", f"The program calls {call}.", "Do without it.", "WARNING"))
    kinds: dict[str, Decision] = {str(kind): decision for kind, decision in policy.kinds.items()}
    for kind in facts.kinds:
        findings += _decided(kinds.get(kind, "deny"), "kind-of-computation",
                             f"Programs of the kind {kind.replace('_', ' ')} are not simply allowed.")
    findings += _decided(policy.cost[facts.cost], "estimated-cost",
                         f"The estimated cost is {facts.cost}: nested or unbounded loops, or very large numbers of items.")
    for tool in facts.tools:
        if tool not in policy.tools:
            findings.append(finding_at(None, "tool-not-allowed", f"The policy {policy.name} has no tool {tool}.",
                                       f"Tools: {', '.join(policy.tools) or 'none'}."))
    return findings


def _decided(decision: Decision, rule: str, message: str) -> list[Finding]:
    if decision == "allow":
        return []
    return [finding_at(None, rule, message, "Reach the goal with a simpler program.",
                       "ERROR" if decision == "deny" else "WARNING")]
