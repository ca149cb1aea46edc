"""A private PostgreSQL server, and the two places that a run store can live in."""

import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from fumehood.graph.store import RunStore


def _programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path else None


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """Address of a server of our own, without a database name."""
    programs = _programs()
    user = None
    if os.geteuid() == 0:
        try:
            user = pwd.getpwnam("postgres").pw_name
        except KeyError:
            programs = None
    if programs is None:
        if os.environ.get("FUMEHOOD_REQUIRE_POSTGRES") == "1":
            pytest.fail("PostgreSQL is required: install Debian's `postgresql` (initdb, and as root the user postgres)")
        pytest.skip("no PostgreSQL server here: initdb is not under /usr/lib/postgresql/*/bin, nor on the PATH")
    place = Path(tempfile.mkdtemp(prefix="fh-pg-", dir="/tmp"))
    if user:
        shutil.chown(place, user, user)

    def run(*command: str | Path) -> None:
        # Output goes to a file: a server that inherits a pipe keeps its reader waiting.
        with (place / "said").open("ab") as said:
            done = subprocess.run(command, stdout=said, stderr=said, stdin=subprocess.DEVNULL, cwd=place, user=user,
                                  check=False)
        assert done.returncode == 0, (place / "said").read_text()

    try:
        run(programs / "initdb", "-D", place / "data", "-U", "fumehood", "-A", "trust", "-E", "UTF8", "--locale=C")
        run(programs / "pg_ctl", "-D", place / "data", "-l", place / "log", "-w", "-o",
            f"-c listen_addresses='' -k {place} -c fsync=off -c max_connections=60", "start")
        try:
            yield f"postgresql://fumehood@/postgres?host={place}"
        finally:
            run(programs / "pg_ctl", "-D", place / "data", "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(place)


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    """Address of a new, empty database."""
    import psycopg

    name = f"t{uuid.uuid4().hex}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return postgres_server.replace("/postgres?", f"/{name}?")


@dataclass(frozen=True)
class Place:
    """Where a store lives."""

    home: Path
    url: str | None

    def open(self) -> RunStore:
        return RunStore(self.home, self.url)


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    return Place(tmp_path / "home", url)


@pytest.fixture
def store(place: Place) -> Iterator[RunStore]:
    with place.open() as store:
        yield store
