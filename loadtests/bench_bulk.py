"""Time of a workload in bulk and over HTTP: one process of each, taking turns in one run.

HTTP is gunicorn with the service's own settings, one worker and a connection that is kept; bulk is one process with
its reading of lines and writing of answers. What counts is the ratio; the milliseconds are this machine's.
"""

from __future__ import annotations

import argparse
import http.client
import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice, product

import numpy as np
from asking import JSON, ROUTE, TIMEOUT_SECONDS
from running import LOOPBACK, service
from workloads import EXAMPLES, Body, variant

from plimsoll_service.bulk.installed import in_force
from plimsoll_service.bulk.lines import Chunk
from plimsoll_service.bulk.reading import CSV, JSONL, Form
from plimsoll_service.bulk.run import Work, answered
from plimsoll_service.evidence import models
from plimsoll_service.settings import Settings

SWEPT_FAMILIES = ("cnn", "detection", "segmentation", "encoder", "rnn", "speech", "decoder")
MODELS, SIZES, DEADLINES = 200, 50, 100  # together a million different workloads
ROUNDS, ASKED = 10, 20
WARM_UP = 20
MOST_LINES = 100_000
MOST_ANSWERS = 100  # whole answers of a turn: each takes longer


def main() -> None:
    """Print the ratios."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--lines", type=int, default=10_000, help=f"of each kind, up to {MOST_LINES:,}")
    lines = min(options.parse_args().lines, MOST_LINES)
    print(f"{'workloads':<44}{'output':>8}{'http ms':>10}{'bulk ms':>10}{'ratio':>8}")
    with service() as server:
        connection = http.client.HTTPConnection(LOOPBACK, server.port, timeout=TIMEOUT_SECONDS)
        for name, bodies in kinds(lines).items():
            for kind in (CSV, JSONL):
                over_http, in_bulk = compared(connection, bodies, kind)
                print(f"{name:<44}{kind:>8}{over_http:>10.2f}{in_bulk:>10.2f}{in_bulk / over_http:>8.2f}")


def kinds(lines: int) -> dict[str, list[Body]]:
    """Workloads of each kind in that number, each of them once."""
    shuffled = list(islice(sweep(), 0, None, max(MODELS * SIZES * DEADLINES // lines, 1)))[:lines]
    return {
        "models x sizes x deadlines, in that order": list(islice(sweep(), lines)),
        "the same, each under one deadline": shuffled,
        "variants of the examples, no two alike": [
            variant(example, number) for number in range(min(lines, 600) // len(EXAMPLES)) for example in EXAMPLES
        ],
    }


def sweep() -> Iterator[Body]:
    """Sweep of a fleet's plan: each model with each size of its data under each deadline."""
    named = [model.name for model in models.load().models if model.family in SWEPT_FAMILIES][:MODELS]
    for model, size, hours in product(named, range(1, SIZES + 1), range(2, DEADLINES + 2)):
        dataset = {"samples": 100_000 * size, "size": f"{10 * size}GB"}
        workload = {"task": "training", "model": model, "dataset": dataset, "epochs": 30, "deadline": f"{hours}h"}
        yield {"workload": workload, "constraints": {"clouds": ["aws", "gcp", "azure"]}}


def compared(connection: http.client.HTTPConnection, bodies: list[Body], kind: str) -> tuple[float, float]:
    """Milliseconds per workload over HTTP and in bulk: the medians of rounds in which both take turns."""
    texts = [json.dumps(body).encode() for body in bodies]
    settings = Settings(log_level="error")
    work = Work(settings, in_force(settings), Form(kind), chunk=len(texts), processes=1)
    answered(Chunk(1, None, tuple(texts[:WARM_UP])), work)
    share = min(max(len(texts) // ROUNDS, 1), MOST_ANSWERS if kind == JSONL else MOST_LINES)
    taken = []
    for number in range(ROUNDS):
        turn = texts[number * len(texts) // ROUNDS :][:share]
        asked = turn[:: max(len(turn) // ASKED, 1)]
        over_http = timed(partial(asking, connection, asked)) / len(asked)
        in_bulk = timed(partial(answered, Chunk(1, None, tuple(turn)), work)) / len(turn)
        taken.append((over_http, in_bulk))
    slow, fast = np.median(taken, axis=0)
    return float(slow), float(fast)


def timed(work: Callable[[], object]) -> float:
    """Milliseconds of a call."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def asking(connection: http.client.HTTPConnection, bodies: list[bytes]) -> None:
    """Answers of the bodies, one after the other, over one connection; the server closes idle connections."""
    connection.close()
    for body in bodies:
        connection.request("POST", ROUTE, body, JSON)
        response = connection.getresponse()
        answer = response.read()
        if response.status != 200:
            raise RuntimeError(f"{response.status}: {answer.decode(errors='replace')}")


if __name__ == "__main__":
    main()
