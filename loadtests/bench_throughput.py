"""Cost of sizing on top of HTTP, and gain of a second worker: answers a second beside a bare Flask.

Service and bare Flask run under the same gunicorn settings with one worker; the bare one answers with the bytes that
the service gave. Clients of processes of their own ask over kept connections, of one server after the other in short
slices, so that whatever else the machine does meets all alike. What counts are the ratios, at the median of the rounds.
The status is 1 where one is below what the project wants. Beside them stands what Flask makes of the same answers where
it reads the question and writes the answer as JSON, as any service of that kind has to.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import count
from pathlib import Path

from asking import Asked, Clients, Connection, distinct, post
from bare import JSON
from running import Server, application, service
from workloads import EXAMPLES

MOST_ROUNDS = 100
MOST_SLICE_SECONDS = 60.0
# More than any slice sends at a millisecond an answer; where they end, the first comes again.
REQUESTS_A_SECOND = 2500
DISTINCT, REPEATED, BARE, TWO = "distinct", "repeated", "bare Flask", "distinct, two workers"
READING = "Flask with JSON"
# Of each pair the first's answers a second, divided by the second's, and what the project wants of it.
RATIOS = {(DISTINCT, BARE): 0.2, (REPEATED, BARE): 0.8, (TWO, DISTINCT): 1.8}
FOR_INFORMATION = ((DISTINCT, READING), (REPEATED, READING))

Requests = Callable[[], Sequence[bytes]]


def main() -> int:
    """Print the table, and say whether the ratios are high enough."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=7, help=f"slices of each, up to {MOST_ROUNDS}")
    options.add_argument("--seconds", type=float, default=2.0, help="of each slice")
    options.add_argument("--clients", type=int, default=8, help="connections, each of a process of its own")
    options.add_argument("--examples", nargs="+", choices=list(EXAMPLES), default=list(EXAMPLES))
    asked = options.parse_args()
    seconds = min(asked.seconds, MOST_SLICE_SECONDS)
    with ExitStack() as running:
        sides = sides_of(running, asked.examples, seconds)
        clients = running.enter_context(Clients(asked.clients))
        measured: dict[str, list[Asked]] = defaultdict(list)
        for number in range(min(asked.rounds, MOST_ROUNDS) + 1):
            for name, (server, requests) in sides.items():
                done = clients.ask(server.port, requests(), seconds)
                if number:  # in the first round everything is made for the first time
                    measured[name].append(done)
    return report(measured)


def sides_of(running: ExitStack, examples: Sequence[str], seconds: float) -> Mapping[str, tuple[Server, Requests]]:
    """Requests and servers of each side; the same workers stay for the whole run."""
    one, two = running.enter_context(service(1)), running.enter_context(service(2))
    repeated = distinct(examples, range(len(examples)))
    answers = Path(running.enter_context(tempfile.TemporaryDirectory()))
    with Connection(one.port) as connection:
        for example, request in zip(examples, repeated, strict=True):
            (answers / example).write_bytes(connection.ask(request))
    bare = running.enter_context(application(f"bare:bare({str(answers)!r})", "/readyz"))
    same, read = ([post(EXAMPLES[each], f"{at}/{each}") for each in examples] for at in ("", JSON))
    slices = slices_of(examples, seconds)
    return {
        DISTINCT: (one, lambda: next(slices)),
        REPEATED: (one, lambda: repeated),
        BARE: (bare, lambda: same),
        READING: (bare, lambda: read),
        TWO: (two, lambda: next(slices)),
    }


def slices_of(examples: Sequence[str], seconds: float) -> Iterator[list[bytes]]:
    """Requests of one slice after the other, none of which was sent before."""
    each = int(REQUESTS_A_SECOND * seconds)
    for number in count():
        yield distinct(examples, range(number * each + len(examples), (number + 1) * each + len(examples)))


def report(measured: Mapping[str, Sequence[Asked]]) -> int:
    """Print answers per second and ratios, and return 1 if a ratio is too low."""
    print(f"{'':<24}{'answers/s':>12}{'kB an answer':>14}{'clients took':>14}")
    for name, slices in measured.items():
        rate = statistics.median(each.per_second for each in slices)
        size = sum(each.answer_bytes for each in slices) / sum(each.answers for each in slices) / 1000
        cores = statistics.median(each.client_cores for each in slices)
        print(f"{name:<24}{rate:>12.0f}{size:>14.1f}{cores:>8.2f} cores")
    low = 0
    for (name, other), wanted in RATIOS.items():
        ratio = ratio_of(measured[name], measured[other])
        low += ratio < wanted
        print(f"{name} / {other}: {ratio:.2f}; at least {wanted} is wanted")
    for name, other in FOR_INFORMATION:
        print(f"{name} / {other}: {ratio_of(measured[name], measured[other]):.2f}; for information")
    return int(low > 0)


def ratio_of(these: Sequence[Asked], others: Sequence[Asked]) -> float:
    """Answers per second of one side divided by those of the other, at the median of the rounds."""
    return statistics.median(one.per_second / beside.per_second for one, beside in zip(these, others, strict=True))


if __name__ == "__main__":
    sys.exit(main())
