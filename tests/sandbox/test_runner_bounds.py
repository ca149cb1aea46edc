"""What a program makes the runner do counts as the program's: processor time, memory, values to parse."""

import textwrap
from typing import TYPE_CHECKING

from fumehood.sandbox.limits import Limits
from fumehood.sandbox.runner.link import MOST_VALUES, values_in

if TYPE_CHECKING:
    from .conftest import Bench

LINK = textwrap.dedent("""
    import os, socket, struct
    def link():
        for number in range(3, 64):
            try:
                if socket.socket(fileno=os.dup(number)).family == socket.AF_UNIX:
                    return number
            except OSError:
                pass
    def send(data):
        while data:
            data = data[os.write(number, data):]
    number = link()
""")
"""The program's own end of its link, written to without the runner's code."""


def test_answers_over_and_over_end_at_the_processor_limit(bench: "Bench") -> None:
    report = bench.run(LINK + textwrap.dedent("""
        text = b'["' + b',' * 4_000_000 + b'"]'
        frame = struct.pack('!cI', b'A', len(text)) + text
        while True:
            send(frame)
    """), limits=Limits(cpu_s=1, wall_s=60))
    assert (report.execution.outcome, report.execution.limit) == ("limit", "cpu")


def test_a_flood_of_witnessed_calls_ends_at_the_processor_limit(bench: "Bench") -> None:
    report = bench.run(textwrap.dedent("""
        import os, time
        for turn in range(10**9):
            os.close(os.open('seen', os.O_CREAT | os.O_RDWR))
            if turn % 100 == 0:
                print(time.process_time())
    """), limits=Limits(cpu_s=1, wall_s=60))
    assert (report.execution.outcome, report.execution.limit) == ("limit", "cpu")
    if report.evidence.witness == "kernel":
        assert sum(event.count for event in report.evidence.files_written if event.path == "seen") > 100
        # The runner's share: the program alone was not at its limit yet.
        assert float(report.execution.stdout.split()[-1]) < 0.9


def test_an_answer_half_sent_counts_as_the_programs_memory(bench: "Bench") -> None:
    report = bench.run(LINK + textwrap.dedent("""
        import time
        send(struct.pack('!cI', b'A', 200_000_000))
        for _ in range(199):
            send(b'[],' * 333_000)
        time.sleep(5)
    """), limits=Limits(memory_mb=64, output_kb=200_000, wall_s=60))
    assert report.execution.outcome == "out_of_memory"


def test_an_answer_of_too_many_values_is_refused_in_words(bench: "Bench") -> None:
    report = bench.run(textwrap.dedent(f"""
        try:
            final_answer([0] * {MOST_VALUES})
        except ValueError as error:
            print(error)
        final_answer('a,' * 1_500_000)
    """), limits=Limits(memory_mb=1024))
    assert f"more than {MOST_VALUES} values" in report.execution.stdout
    assert report.delivered == '"' + "a," * 1_500_000 + '"'


def test_an_answer_of_too_many_values_past_final_answer_is_none(bench: "Bench") -> None:
    report = bench.run(LINK + textwrap.dedent(f"""
        text = b'[' + b'[],' * {MOST_VALUES} + b'0]'
        send(struct.pack('!cI', b'A', len(text)) + text)
    """))
    assert report.execution.outcome == "completed"
    assert report.delivered is None
    assert any("garbled its own channel" in warning for warning in report.execution.warnings)


def test_an_answer_that_is_no_json_is_none(bench: "Bench") -> None:
    for text in (b'[1, 2', b'\\xff', b'[' * 100_000):
        report = bench.run(LINK + f"text = {text!r}\nsend(struct.pack('!cI', b'A', len(text)) + text)")
        assert report.delivered is None
        assert any("garbled its own channel" in warning for warning in report.execution.warnings)


def test_values_are_counted_and_texts_are_not() -> None:
    assert values_in(b'{"a": [1, 2]}') >= 4
    assert values_in(b'["' + b",[{:" * MOST_VALUES + b'"]') == 2
    assert values_in(b'["\\",' + b"," * (MOST_VALUES + 1) + b'"]') == 2
    # Without an end a text is looked for once, not once per quotation mark.
    assert values_in(b'"\\' * (2 * MOST_VALUES) + b"," * (2 * MOST_VALUES)) == 1
