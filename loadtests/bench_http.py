"""What the sizing costs on top of HTTP: the service beside a bare Flask route that answers the same bytes.

Both run under gunicorn with the service's own settings and one worker, on loopback, and take turns, so that whatever
else the machine does meets both alike. What counts is the ratio; the milliseconds are this machine's.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
from workloads import EXAMPLES, variant

import plimsoll_service

GUNICORN = Path(plimsoll_service.__file__).parent / "gunicorn.conf.py"
HERE = Path(__file__).parent
START_SECONDS = 30.0
MOST_ROUNDS = 500
ROUTE = "/v1/recommendations"
JSON = {"Content-Type": "application/json"}


def main() -> None:
    """Print the ratio for each example."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=50, help=f"requests an example and server, up to {MOST_ROUNDS}")
    rounds = min(options.parse_args().rounds, MOST_ROUNDS)
    print(f"{'example':<24}{'service ms':>12}{'bare ms':>10}{'ratio':>8}")
    with ExitStack() as running:
        service = running.enter_context(serving("plimsoll_service.app:from_environment()"))
        for example in EXAMPLES:
            with tempfile.NamedTemporaryFile() as answer, ExitStack() as beside:
                answer.write(ask(service, body_of(example, 0)))
                answer.flush()
                bare = beside.enter_context(serving(f"bare:bare({answer.name!r})"))
                slow, fast = np.median(alternate(service, bare, example, rounds), axis=0)
            print(f"{example:<24}{slow:>12.2f}{fast:>10.2f}{slow / fast:>8.1f}")


def alternate(service: int, bare: int, example: str, rounds: int) -> list[tuple[float, float]]:
    """Milliseconds of (service, bare) for the same request, round by round."""
    taken = []
    for number in range(1, rounds + 1):
        body = body_of(example, number)
        taken.append((milliseconds(service, body), milliseconds(bare, body)))
    return taken


def milliseconds(port: int, body: bytes) -> float:
    """The time of one request, its connection included."""
    began = time.perf_counter()
    ask(port, body)
    return (time.perf_counter() - began) * 1000


def ask(port: int, body: bytes) -> bytes:
    """The answer's bytes; an error for any status but 200."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=START_SECONDS)
    try:
        connection.request("POST", ROUTE, body, JSON)
        response = connection.getresponse()
        answer = response.read()
    finally:
        connection.close()
    if response.status != 200:
        raise RuntimeError(f"{response.status}: {answer.decode(errors='replace')}")
    return answer


def body_of(example: str, number: int) -> bytes:
    """The variant as it goes over the wire."""
    return json.dumps(variant(example, number)).encode()


@contextmanager
def serving(application: str) -> Iterator[int]:
    """The port of a gunicorn that serves the application and stops in the end."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    options = ["--config", str(GUNICORN), "--workers", "1", "--bind", f"127.0.0.1:{port}", "--chdir", str(HERE)]
    paths = os.pathsep.join(filter(None, sys.path))
    process = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", *options, application],
        env=os.environ | {"PYTHONPATH": paths},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(port, process)
        yield port
    finally:
        process.terminate()
        process.wait()


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    """Return once the server accepts connections; an error where it ended or takes too long."""
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"gunicorn does not serve on port {port}") from None
            time.sleep(0.1)


if __name__ == "__main__":
    main()
