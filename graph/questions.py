"""Questions to a person and their decisions, each taken once, outside of any node that might run again."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from .approval import Decision, Question, decision_from
from .database import Database, Lock
from .errors import StoreError
from .plain import plain_text

SCHEMA = """
CREATE TABLE IF NOT EXISTS questions (
    question_id TEXT PRIMARY KEY, run_id TEXT NOT NULL, asked DOUBLE PRECISION NOT NULL, expires DOUBLE PRECISION,
    question TEXT NOT NULL, decision TEXT, decided_by TEXT, decided DOUBLE PRECISION);
CREATE INDEX IF NOT EXISTS questions_by_run ON questions (run_id, asked);
CREATE TABLE IF NOT EXISTS settled (run_id TEXT NOT NULL, number BIGINT NOT NULL, PRIMARY KEY (run_id, number));
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
        self._answering: dict[tuple[str, int], Lock] = {}
        self._settled: set[tuple[str, int]] = set()

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

    def answer(self, run_id: str, question: Question, answer: object, *, number: int, by: str) -> Decision | None:
        """The decision on a question: the one that lies in the store, else the one in the answer, taken now.

        `answer` is what `interrupt()` gave back: an agreed answer, or anything without `decisions` for "look in the
        store". `number`: which settled question of its run this one becomes, 1-based. None where nobody has decided: in
        time (`Asked.expired`) or yet. Raises StoreError `already decided` for a second answer, be it the same as the
        first; AnswerInvalid where the answer cannot be read.
        """
        if not (isinstance(answer, Mapping) and "decisions" in answer):
            return self.decision(run_id, question.question_id)
        given = decision_from(question, answer)
        # A node that a kill or a failure ended is executed again and brings the same answer again. A second caller is told
        # from it by who holds the question, and by what came after it.
        lock = self._database.try_lock(f"question-{question.question_id}")
        if lock is None:
            raise StoreError(f"already decided: somebody else is answering question {question.question_id} right now; "
                             f"`fumehood show {run_id}` tells what became of it")
        try:
            decision = self._taken(run_id, question, given, number=number, by=by)
        except BaseException:
            lock.release()
            raise
        self._answering[run_id, number] = lock
        return decision

    def _taken(self, run_id: str, question: Question, given: Decision, *, number: int, by: str) -> Decision | None:
        stored = self._asked(run_id, question.question_id)
        again = stored is not None and stored.decision == given and stored.decided_by == _name(by)
        if again and not self._is_settled(run_id, number):
            return given
        try:
            self.decide(run_id, question.question_id, given, by=by)
        except TooLate:
            return None
        return given

    def let_go(self, run_id: str, number: int) -> None:
        """The node that took an answer has failed; when it is executed again, it may bring the answer again."""
        lock = self._answering.pop((run_id, number), None)
        if lock is not None:
            lock.release()

    def let_go_of_all(self) -> None:
        for run_id, number in list(self._answering):
            self.let_go(run_id, number)

    def settle(self, run_id: str, number: int) -> None:
        """The run has gone on after so many questions: an answer to any of them comes too late, from whomever."""
        if (run_id, number) in self._settled:
            return
        with self._database.transaction() as transaction:
            transaction.change("INSERT INTO settled (run_id, number) VALUES (?, ?) ON CONFLICT DO NOTHING",
                               (run_id, number))
        self._settled.add((run_id, number))
        self.let_go(run_id, number)

    def _is_settled(self, run_id: str, number: int) -> bool:
        return bool(self._database.read("SELECT 1 FROM settled WHERE run_id = ? AND number = ?", (run_id, number)))

    def decision(self, run_id: str, question_id: str) -> Decision | None:
        """The decision on this question; None while nobody has decided."""
        asked = self._asked(run_id, question_id)
        return asked.decision if asked else None

    def _asked(self, run_id: str, question_id: str) -> Asked | None:
        return next((item for item in self.questions(run_id) if item.question.question_id == question_id), None)

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
