"""The answers that docs/examples.md and the README show, as the service gives them.

Run it with ``make figures``; it replaces the tables of the examples and the two answers of the README.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "tests" / "examples").glob("[a-f]_*.json"))
LARGE_CLOUDS = ["aws", "gcp", "azure"]
ROW = re.compile(r"^\| (\((?P<letter>[a-f])\) [^|]+) \|.*$", re.M)
CURL = re.compile(r"curl 'http://127\.0\.0\.1:8080(?P<path>/[^']+)'\n```\n\n```text\n(?P<answer>.*?)\n```", re.S)
CALL = re.compile(r"client\.recommend\((?P<workload>\{[^}]+\}), constraints=(?P<constraints>\{[^}]+\})\)")
BEST = re.compile(r"^\S+ Range\(value=.*\)$", re.M)


def main() -> None:
    """Write both pages anew."""
    client = create_app(Settings(log_level="critical")).test_client()
    for name, updated in {"README.md": readme, "docs/examples.md": examples}.items():
        page = ROOT / name
        page.write_text(updated(page.read_text(encoding="utf-8"), client), encoding="utf-8")


def readme(text: str, client: FlaskClient) -> str:
    """Return the README with the answers to its question in the shell and its call of the SDK."""
    asked, called = CURL.search(text), CALL.search(text)
    if asked is None or called is None:
        raise ValueError("the README has lost its question or its call")
    table = client.get(asked["path"]).get_data(as_text=True).rstrip("\n")
    text = text[: asked.start("answer")] + table + text[asked.end("answer") :]
    body = {part: json.loads(called[part]) for part in ("workload", "constraints")}
    first = client.post("/v1/recommendations", json=body).get_json()["recommendations"][0]
    cost = ", ".join(f"{end}={first['estimate']['cost_usd'][end]}" for end in ("value", "low", "high"))
    return BEST.sub(f"{first['instance_type']} Range({cost})", text)


def examples(text: str, client: FlaskClient) -> str:
    """Return the page of examples with the first recommendations, of all clouds and then of the three large ones."""
    everywhere, large = text.split("| question | first recommendation of AWS")
    parts = (_answered(everywhere, {}, client), _answered(large, {"clouds": LARGE_CLOUDS}, client))
    return "| question | first recommendation of AWS".join(parts)


def _answered(table: str, constraints: dict[str, Any], client: FlaskClient) -> str:
    return ROW.sub(lambda row: _row(row, constraints, client), table)


def _row(row: re.Match[str], constraints: dict[str, Any], client: FlaskClient) -> str:
    [path] = [one for one in EXAMPLES if one.name.startswith(row["letter"])]
    body = json.loads(path.read_text(encoding="utf-8"))
    body["constraints"] = body.get("constraints", {}) | constraints
    first = client.post("/v1/recommendations", json=body).get_json()["recommendations"][0]
    chips, estimate = first["accelerator"], first["estimate"]
    beside = "" if chips is None else f" ({chips['count']:g} × {chips['name']})"
    machine = f"{first['node_count']} × {first['cloud']} `{first['instance_type']}`{beside}"
    if estimate["time_hours"] is None:
        hourly = first["node_count"] * first["price"]["usd_per_hour"]
        time, cost = f"p95 {_range(estimate['serving']['ttft_p95_ms'], 'ms')}", f"{_digits(hourly)} USD an hour"
    else:
        time, cost = _range(estimate["time_hours"], "h"), _range(estimate["cost_usd"], "USD")
    return f"| {row[1]} | {machine} | {time} | {cost} |"


def _range(found: dict[str, float], unit: str) -> str:
    return f"{_digits(found['value'])} {unit} ({_digits(found['low'])} – {_digits(found['high'])})"


def _digits(value: float) -> str:
    """Three digits, with commas between thousands."""
    return f"{float(f'{value:.3g}'):,g}"


if __name__ == "__main__":
    main()
