"""What `bench_throughput.py` holds the service against: Flask alone, which answers with the bytes of files."""

from __future__ import annotations

from pathlib import Path

from flask import Flask, Response


def bare(directory: str) -> Flask:
    """A Flask application with a route a file, and one that says that it is there."""
    app = Flask(__name__)

    @app.get("/readyz")
    def readyz() -> str:
        return "ready"

    for path in Path(directory).iterdir():
        app.add_url_rule(f"/{path.name}", path.name, _answering(path.read_bytes()), methods=["POST"])
    return app


def _answering(body: bytes) -> object:
    return lambda: Response(body, mimetype="application/json")
