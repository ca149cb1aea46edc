"""When a person must be asked before a program runs."""

from ..policies.profile import Policy
from ..policies.verdict import Verdict
from .live import Parts
from .task import Task


def reasons_to_ask(task: Task, policy: Policy, verdict: Verdict, parts: Parts) -> list[str]:
    """Why a person must approve this program, in words; empty when the policy alone decides."""
    reasons = [(f"line {finding.line}: " if finding.line else "") + finding.message
               for finding in verdict.findings if finding.severity == "WARNING"]
    if verdict.decision == "review" and not reasons:
        reasons.append("the policy wants a person to look at this kind of program")
    most = policy.approval_limits.model_dump()
    asked = task.limits.model_dump()
    reasons += [f"{name} {asked[name]:g} is above {value:g}, the most that needs no approval"
                for name, value in most.items() if asked[name] > value]
    marked = sorted(parts.approve_tools & set(verdict.facts.tools))
    reasons += [f"tool {name} is marked to be approved" for name in marked]
    sensitive = [item.name for item in task.inputs if item.sensitive]
    if sensitive:
        reasons.append(f"sensitive inputs: {', '.join(sensitive)}")
    if task.approval == "always" or policy.approval == "always":
        reasons.append("every program is to be approved")
    return reasons
