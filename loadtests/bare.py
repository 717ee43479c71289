"""Flask alone, which answers from files: the reference for `bench_throughput.py`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from flask import Flask, Response, request

JSON = "/json"  # before the paths of the routes that read and write it


def bare(directory: str) -> Flask:
    """A Flask application with two routes for each file, as bytes and as JSON, and one that says that it is ready."""
    app = Flask(__name__)

    @app.get("/readyz")
    def readyz() -> str:
        return "ready"

    for path in Path(directory).iterdir():
        answer = path.read_bytes()
        app.add_url_rule(f"/{path.name}", path.name, _answering(answer), methods=["POST"])
        app.add_url_rule(f"{JSON}/{path.name}", f"json.{path.name}", _writing(json.loads(answer)), methods=["POST"])
    return app


def _answering(body: bytes) -> object:
    return lambda: Response(body, mimetype="application/json")


def _writing(answer: dict[str, Any]) -> object:
    """Work that any JSON service does: Flask reads the question and writes the answer."""

    def view() -> dict[str, Any]:
        request.get_json()
        return answer

    return view
