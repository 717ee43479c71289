"""What `bench_http.py` holds the service against: Flask alone."""

from __future__ import annotations

from pathlib import Path

from flask import Flask, Response


def bare(answer: str) -> Flask:
    """A Flask application that does nothing but answer with a file's bytes."""
    app = Flask(__name__)
    body = Path(answer).read_bytes()

    @app.post("/v1/recommendations")
    def recommendations() -> Response:
        return Response(body, mimetype="application/json")

    return app
