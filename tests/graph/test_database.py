"""The one moment at which SQLite answers `database is locked` without waiting."""

import subprocess
import sys
from pathlib import Path

OPEN_TOGETHER = """
import multiprocessing, sys
from pathlib import Path
from fumehood.graph.database import connect_sqlite

def work(barrier, failures):
    failed = []
    for number in range(150):
        barrier.wait()
        try:
            connection = connect_sqlite(Path(sys.argv[1]) / f"{number}.sqlite")
            with connection:
                connection.execute("CREATE TABLE IF NOT EXISTS t (a)")
                connection.execute("INSERT INTO t VALUES (1)")
            connection.close()
        except Exception as error:
            failed.append(repr(error))
    failures.put(failed)

context = multiprocessing.get_context("fork")
barrier, failures = context.Barrier(6), context.Queue()
workers = [context.Process(target=work, args=(barrier, failures)) for _ in range(6)]
for worker in workers:
    worker.start()
print([failure for _ in workers for failure in failures.get()])
for worker in workers:
    worker.join()
"""


def test_a_new_file_is_opened_by_six_processes_in_the_same_moment(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", OPEN_TOGETHER, str(tmp_path)], text=True, capture_output=True, check=True)
    assert done.stdout == "[]\n"
