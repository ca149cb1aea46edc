"""Fall back: the operator's program, tried once when the attempts are used up."""

from langgraph.runtime import Runtime

from ..graph.attempts import begun
from ..graph.live import Live
from ..graph.programs import keep_program
from ..graph.progress import tree_sha256
from ..graph.state import State, Update
from ..policies.verdict import sha256_text


def fall_back(state: State, runtime: Runtime[Live]) -> Update:
    program = runtime.context.gate_source(state.task.fallback or "")
    path = keep_program(runtime.context.store.folder(state.run_id), len(state.attempts) + 1, program)
    attempts = begun(state, program=path, program_sha256=sha256_text(program), tree_sha256=tree_sha256(program),
                     origin="fallback")
    tried = state.stop.message if state.stop else ""
    return {"program": program, "origin": "fallback", "attempts": attempts, "verdict": None, "approved": None,
            "stop": None, "resort": "fallback",
            "notes": [*state.notes, f"answered by the operator's fallback program, not by the model's ({tried})"]}
