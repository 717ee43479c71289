"""Progress messages of a run."""

from __future__ import annotations

import io
import time

import pytest

from plimsoll_service.bulk.run import PIPED_SECONDS, Progress, described


@pytest.mark.parametrize(
    ("lines", "begun_at", "seconds", "share", "expected"),
    [
        (5000, 0, 10.0, None, "5,000 lines, 500 a second"),
        (5000, 0, 10.0, 0.25, "5,000 lines, 500 a second, 25%, 0:00:30 left"),
        (1_000_000, 900_000, 100.0, 0.5, "1,000,000 lines, 1,000 a second, 50%, 0:16:40 left"),
        (0, 0, 0.0, 0.0, "0 lines, 0 a second"),
    ],
)
def test_rate_is_of_this_run_and_time_left_of_the_rest(
    lines: int, begun_at: int, seconds: float, share: float | None, expected: str
) -> None:
    """Lines of an earlier run count as done, but not in the rate."""
    assert expected == described(lines, begun_at, seconds, share)


def test_a_log_gets_a_line_now_and_then() -> None:
    """Progress is whole lines, and only a few of them, if standard error is no terminal."""
    out = io.StringIO()
    progress = Progress(out)
    progress.tell(10, None)
    assert out.getvalue() == ""

    progress.told = time.monotonic() - PIPED_SECONDS
    progress.tell(20, 0.5)
    progress.tell(30, 0.6)
    assert out.getvalue().count("\n") == 1
    assert out.getvalue().startswith("20 lines")


class Terminal(io.StringIO):
    """A text stream that looks like a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_one_line_that_changes() -> None:
    """Each message overwrites the last one, and the end leaves it in place."""
    out = Terminal()
    progress = Progress(out)
    for lines in (10, 20):
        progress.told = time.monotonic() - PIPED_SECONDS
        progress.tell(lines, 0.5)
    progress.end()

    assert out.getvalue().count("\r") == 2
    assert out.getvalue().count("\n") == 1


def test_a_quiet_run_tells_nothing() -> None:
    """With ``quiet``, a run writes no progress, in a terminal too."""
    out = Terminal()
    progress = Progress(out, quiet=True, told=0.0)
    progress.tell(10, 0.5)
    progress.end()

    assert out.getvalue() == ""
