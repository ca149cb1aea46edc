"""What must be in place before a model is asked anything: a gate, an engine, limits within the policy."""

from ..policies.errors import PolicyInvalid
from ..policies.profile import Policy
from ..sandbox.engine import Engine, Requirements
from ..sandbox.errors import BadRequest
from ..sandbox.limits import Limits
from ..sandbox.select import choose
from .errors import SettingsInvalid
from .live import Live, Parts
from .state import EngineSkipped, Plan, Stop
from .stop import StopReason
from .task import Task

LEAST_MEMORY_MB = 256
"""A plan cannot ask for so little memory that numpy and pandas do not load."""


def limits_for(task: Task, policy: Policy, plan: Plan | None) -> Limits:
    """The effective limits: the task's within the policy's ceiling, lowered by what the plan says is enough."""
    limits = task.limits.within(ceiling_of(policy))
    if plan is None:
        return limits
    lower = limits.model_dump()
    if plan.memory_mb:
        lower["memory_mb"] = min(limits.memory_mb, max(plan.memory_mb, LEAST_MEMORY_MB))
    return Limits(**lower)


def ceiling_of(policy: Policy) -> Limits:
    return Limits(**policy.limits_ceiling.model_dump())


def requirements_of(policy: Policy) -> Requirements:
    return Requirements(**policy.requirements.model_dump())


def check_task(task: Task, policy: Policy, parts: Parts) -> None:
    """Raises SettingsInvalid when the task asks for more than the policy allows, or for functions that nobody gave."""
    for kind, asked_for, given in (("tools", task.tools, parts.tools), ("invariants", task.invariants, parts.invariants)):
        absent = sorted(set(asked_for) - set(given))
        if absent:
            raise SettingsInvalid(f"{kind} {', '.join(absent)} are not registered; pass the functions as "
                                  f"Parts({kind}={{name: function}})")
    ceiling, asked = ceiling_of(policy).model_dump(), task.limits.model_dump()
    for name, most in ceiling.items():
        if asked[name] > most:
            raise SettingsInvalid(f"{name} {asked[name]:g} is above the ceiling {most:g} of policy {policy.name!r} "
                                  f"({policy.source}); ask for less, or use a policy that allows it")
    unknown = sorted(set(task.tools) - set(policy.tools)) if "*" not in policy.tools else []
    if unknown:
        raise SettingsInvalid(f"tools {', '.join(unknown)} are not allowed by policy {policy.name!r}; "
                              "list them under `tools` in the profile")


def pick_engine(
    live: Live, task: Task, policy: Policy, skipped: list[EngineSkipped]
) -> tuple[Engine | None, list[EngineSkipped], bool]:
    """The first engine that works and is strong enough, those passed over with why, and whether only strength lacked."""
    out = {item.engine for item in skipped}
    engines = [engine for engine in live.engines(policy, task.engine) if engine.name not in out]
    chosen, passed = choose(engines, requirements_of(policy))
    noted = [*skipped, *(EngineSkipped(engine=item.engine, why=item.why) for item in passed)]
    weak = bool(passed) and all(item.too_weak for item in passed)
    return chosen, noted, weak


def no_engine(skipped: list[EngineSkipped], weak: bool) -> Stop:
    """The stop when no engine is left, with what each one needs."""
    why = "; ".join(f"{item.engine}: {item.why}" for item in skipped) or "no engine is allowed"
    if weak:
        return Stop(reason=StopReason.LIMITS_NOT_ENFORCED, message=f"No engine holds what the policy requires: {why}")
    return Stop(reason=StopReason.SANDBOX_UNAVAILABLE, message=f"No sandbox can be used here: {why}")


def preflight(live: Live, task: Task) -> Stop | None:
    """Null when gate and sandbox can serve the task, else the stop. Asks no model and runs nothing.

    Raises SettingsInvalid when the task itself asks for what the policy does not allow.
    """
    try:
        policy, gate = live.policy(task.policy), live.gate(task.policy)
        gate_problem = gate.unavailable()
    except PolicyInvalid as error:
        return Stop(reason=StopReason.POLICY_UNAVAILABLE, message=str(error))
    if gate_problem:
        return Stop(reason=StopReason.POLICY_UNAVAILABLE, message=gate_problem)
    check_task(task, policy, live.parts)
    try:
        chosen, skipped, weak = pick_engine(live, task, policy, [])
    except BadRequest as error:
        raise SettingsInvalid(str(error)) from error
    if chosen:
        gate.warm()  # while the model writes
    return None if chosen else no_engine(skipped, weak)
