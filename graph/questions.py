"""Questions to a person and their decisions, each taken once, outside of any node that might run again."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from .approval import Decision, Question, decision_from
from .database import Database
from .errors import StoreError
from .plain import plain_text

SCHEMA = """
CREATE TABLE IF NOT EXISTS questions (
    question_id TEXT PRIMARY KEY, run_id TEXT NOT NULL, asked DOUBLE PRECISION NOT NULL, expires DOUBLE PRECISION,
    question TEXT NOT NULL, decision TEXT, decided_by TEXT, decided DOUBLE PRECISION);
CREATE INDEX IF NOT EXISTS questions_by_run ON questions (run_id, asked);
"""
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question as it lies in the store, with its decision where there is one."""

    question: Question
    asked: float
    expires: float | None
    """When the time to decide is over; null is never."""
    decision: Decision | None
    decided_by: str
    decided: float | None

    def expired(self) -> bool:
        """Whether it is too late for a decision, and none was taken."""
        return self.decision is None and self.expires is not None and time.time() >= self.expires


class TooLate(StoreError):
    """The time to decide is over."""


class Questions:
    """The questions of all runs of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def ask(self, run_id: str, question: Question) -> str:
        """Put a question before a person; asking the same one again changes nothing. Gives its id."""
        now = time.time()
        expires = None if question.expires_s is None else now + question.expires_s
        with self._database.transaction() as transaction:
            transaction.change(
                "INSERT INTO questions (question_id, run_id, asked, expires, question) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT DO NOTHING", (question.question_id, run_id, now, expires, question.as_json()))
        return question.question_id

    def decide(self, run_id: str, question_id: str, decision: Decision, *, by: str) -> None:
        """Take a decision, once, whoever else tries at the same moment.

        Raises StoreError: `already decided`, `expired`, `no such question`.
        """
        now = time.time()
        with self._database.transaction() as transaction:
            taken = transaction.change(
                "UPDATE questions SET decision = ?, decided_by = ?, decided = ? WHERE question_id = ? AND run_id = ?"
                " AND decision IS NULL AND (expires IS NULL OR expires > ?)",
                (decision.as_json(), _name(by), now, question_id, run_id, now))
            rows = transaction.run("SELECT decision, decided_by, expires FROM questions WHERE question_id = ?"
                                   " AND run_id = ?", (question_id, run_id))
        if taken:
            return
        if not rows:
            raise StoreError(f"no such question: {question_id} of run {run_id}; `fumehood runs --waiting` lists them")
        decided, decided_by, _ = rows[0]
        if decided is None:
            raise TooLate(f"the question {question_id} has expired; `fumehood resume {run_id}` ends or goes on")
        raise StoreError(f"already decided: {_kind(decided)} by {decided_by or 'somebody'}; "
                         f"`fumehood show {run_id}` tells what became of it")

    def answer(self, run_id: str, question: Question, answer: object, *, by: str) -> Decision | None:
        """The decision on a question: the one that lies in the store, else the one in the answer, taken now.

        `answer` is what `interrupt()` gave back: an agreed answer, or anything without `decisions` for "look in the
        store". None where nobody has decided: in time (`Asked.expired`) or yet. Raises StoreError `already decided`
        where somebody decided otherwise, AnswerInvalid where the answer cannot be read.
        """
        stored = self.decision(run_id, question.question_id)
        if not (isinstance(answer, Mapping) and "decisions" in answer):
            return stored
        given = decision_from(question, answer)
        if stored != given:
            try:
                self.decide(run_id, question.question_id, given, by=by)
            except TooLate:
                return None
        return given

    def decision(self, run_id: str, question_id: str) -> Decision | None:
        """The decision on this question; None while nobody has decided."""
        return next((asked.decision for asked in self.questions(run_id) if asked.question.question_id == question_id),
                    None)

    def questions(self, run_id: str) -> Sequence[Asked]:
        """Every question of a run with its decision, in the order in which they were asked."""
        rows = self._database.read("SELECT question, asked, expires, decision, decided_by, decided FROM questions"
                                   " WHERE run_id = ? ORDER BY asked, question_id", (run_id,))
        return [Asked(question=_read(Question, question), asked=asked, expires=expires,
                      decision=None if decision is None else _read(Decision, decision), decided_by=by or "",
                      decided=decided)
                for question, asked, expires, decision, by, decided in rows]

    def pending(self, run_id: str) -> Asked | None:
        """The newest question, where nobody has decided it yet; it may have expired."""
        asked = self.questions(run_id)
        return asked[-1] if asked and asked[-1].decision is None else None


def _read(model: type[Model], text: str) -> Model:
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        raise StoreError(f"a stored {model.__name__.lower()} cannot be read; another version wrote it") from error


def _kind(decision_json: str) -> str:
    return _read(Decision, decision_json).type


def _name(by: str) -> str:
    return plain_text(by).replace("\0", "\ufffd")[:200]
