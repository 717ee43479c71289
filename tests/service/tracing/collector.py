"""A collector of traces on loopback that speaks OTLP over HTTP, and can be told to fail."""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

SOON_SECONDS = 10.0


@dataclass
class Collector:
    """Collector of spans, with the status of its next answer; a ``silent`` one accepts connections and stays silent."""

    url: str = ""
    status: int = 200
    silent: Event = field(default_factory=Event)
    spans: list[Span] = field(default_factory=list)
    resources: list[dict[str, Any]] = field(default_factory=list)
    posts: int = 0

    def named(self, name: str) -> list[Span]:
        """The spans of a name."""
        return [span for span in list(self.spans) if span.name == name]

    def wait_for(self, condition: Callable[[], object]) -> None:
        """Wait for a condition."""
        end = time.monotonic() + SOON_SECONDS
        while not condition():
            assert time.monotonic() < end, [span.name for span in self.spans]
            time.sleep(0.02)


def attributes(span: Span) -> dict[str, Any]:
    """A span's attributes by name."""
    return {each.key: getattr(each.value, str(each.value.WhichOneof("value"))) for each in span.attributes}


@contextmanager
def collecting() -> Iterator[Collector]:
    """A collector that listens."""
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            collector.posts += 1
            if collector.silent.is_set():
                while collector.silent.is_set():
                    time.sleep(0.02)
                self.close_connection = True
                return
            if collector.status == 200:
                _keep(collector, gzip.decompress(body) if self.headers["Content-Encoding"] == "gzip" else body)
            self.send_response(collector.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Log nothing, to keep the test's output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    collector.url = f"http://127.0.0.1:{server.server_port}"
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield collector
    finally:
        collector.silent.clear()
        server.shutdown()
        server.server_close()


def _keep(collector: Collector, body: bytes) -> None:
    for each in ExportTraceServiceRequest.FromString(body).resource_spans:
        collector.resources.append({one.key: one.value.string_value for one in each.resource.attributes})
        for scope in each.scope_spans:
            collector.spans.extend(scope.spans)
