"""Processor time that observation adds to a request: metrics, log line and spans beside the same route without them.

Each variant is a process of its own, in Prometheus' multiprocess mode as under gunicorn; they take turns, so that what
else the machine does falls on all of them alike. The route answers what a recommendation answers, and works nothing.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from statistics import median
from threading import Thread

from flask import Flask
from werkzeug.test import EnvironBuilder

ANSWER = b"x" * 9000  # bytes of a recommendation in JSON
CONSTRAINTS = 10  # that a recommendation names in `rejected`
SLICE = 500  # requests in a turn
ROUTE = "/v1/recommendations"
VARIANTS = ("bare", "metrics", "log", "traces")


def main() -> None:
    """Take turns, and print what each variant takes more than the first."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--turns", type=int, default=30)
    parser.add_argument("--serve", choices=VARIANTS, help=argparse.SUPPRESS)
    parser.add_argument("--collector", help=argparse.SUPPRESS)
    call = parser.parse_args()
    if call.serve:
        work(call.serve, call.collector)
        return
    collector = swallow()
    with tempfile.TemporaryDirectory() as directory:
        workers = {variant: start(variant, collector, directory) for variant in VARIANTS}
        times = {variant: [] for variant in VARIANTS}
        for _ in range(call.turns):
            for variant, worker in workers.items():
                times[variant].append(turn(worker))
        for worker in workers.values():
            worker.stdin.close()
            worker.wait()
    bare = median(times["bare"])
    print(f"{'bare Flask':28} {bare:8.1f} us a request")
    for variant, said in zip(VARIANTS[1:], ("+ ids and metrics", "+ log line", "+ spans, sent"), strict=True):
        print(f"{said:28} {median(times[variant]) - bare:+8.1f} us")


def start(variant: str, collector: str, directory: str) -> subprocess.Popen[str]:
    """Start a process that answers as the variant does: one slice of requests for each line that it reads."""
    command = [sys.executable, __file__, "--serve", variant, "--collector", collector]
    environment = os.environ | {"PROMETHEUS_MULTIPROC_DIR": directory}
    return subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


def turn(worker: subprocess.Popen[str]) -> float:
    """Microseconds per request in one slice."""
    worker.stdin.write("\n")
    worker.stdin.flush()
    return float(worker.stderr.readline())


def work(variant: str, collector: str) -> None:
    """Answer slices of requests until the input ends; the log goes to standard output, times to standard error."""
    from time import process_time

    from plimsoll_service import tracing
    from plimsoll_service.api import request_middleware
    from plimsoll_service.app import configure_logging

    app = Flask("bench", static_folder=None)
    if variant != "bare":
        configure_logging("error" if variant == "metrics" else "info")
        tracing.configure(collector if variant == "traces" else None)
        request_middleware.register(app)
    app.post(ROUTE)(bare if variant == "bare" else observed)
    environ = EnvironBuilder(path=ROUTE, method="POST", data=b"{}", content_type="application/json").get_environ()
    for _ in sys.stdin:
        began = process_time()
        for _ in range(SLICE):
            for _ in app.wsgi_app(dict(environ), lambda *_: None):
                pass
        sys.stderr.write(f"{(process_time() - began) / SLICE * 1e6}\n")
        sys.stderr.flush()
    tracing.stop()


def bare() -> bytes:
    """The answer alone."""
    return ANSWER


def observed() -> bytes:
    """The answer with the phases of a recommendation and the candidates that it counts."""
    from plimsoll_service.api.request_middleware import rejected
    from plimsoll_service.api.request_record import phase

    with phase("parse"):
        pass
    with phase("size"):
        rejected({f"constraint-{number}": number for number in range(CONSTRAINTS)})
    with phase("render"):
        return ANSWER


def swallow() -> str:
    """Address of a collector that accepts everything and keeps nothing."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/v1/traces"


if __name__ == "__main__":
    main()
