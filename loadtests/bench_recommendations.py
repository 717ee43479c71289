"""Time of a recommendation over the whole catalog, in process, without a network: milliseconds by example.

*Sizing* is the use case alone, as the service and ``Client.local()`` call it; *request* is all that the service does
for it over HTTP, with parsing, rendering and Flask's test client.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import platform
import pstats
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from checks import recommendations
from flask.testing import FlaskClient
from workloads import EXAMPLES, variant

from plimsoll_service.api.loading import load
from plimsoll_service.api.recommendations import REQUEST
from plimsoll_service.api.service import service
from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

WARM_UP = 3
MOST_VARIANTS = 1000
SHOWN_FUNCTIONS = 40


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--variants", type=int, default=100, help=f"different workloads an example, up to {MOST_VARIANTS}"
    )
    options.add_argument("--profile", choices=list(EXAMPLES), help="where the time of one example goes, by function")
    asked = options.parse_args()
    variants = min(asked.variants, MOST_VARIANTS)
    client = create_app(Settings(log_level="error", answer_cache_bytes=0)).test_client()
    if asked.profile:
        profile(client, asked.profile, variants)
        return
    ready = client.get("/readyz").get_json()["catalog"]
    print(f"{ready['instance_types']} instance types, {ready['offers']} offers; {variants} variants of each example")
    print(f"{platform.python_implementation()} {platform.python_version()}, {platform.python_compiler()}")
    print(f"{'milliseconds':<24}{'sizing p50':>12}{'p90':>8}{'request p50':>14}{'p90':>8}{'p99':>8}")
    sized: list[float] = []
    asked_for: list[float] = []
    for example in EXAMPLES:
        of_sizing, of_request = sizing(client, example, variants), requests(client, example, variants)
        print(_row(example, of_sizing, of_request))
        sized += of_sizing
        asked_for += of_request
    print(_row("all", sized, asked_for))


def _row(name: str, of_sizing: list[float], of_request: list[float]) -> str:
    sized, asked_for = np.percentile(of_sizing, (50, 90)), np.percentile(of_request, (50, 90, 99))
    columns = zip((*sized, *asked_for), (12, 8, 14, 8, 8), strict=True)
    return f"{name:<24}" + "".join(f"{value:>{width}.2f}" for value, width in columns)


def profile(client: FlaskClient, example: str, variants: int) -> None:
    """Print the time of the functions of the service, with those that they call; the profiler adds to each call."""
    requests(client, example, WARM_UP)
    with cProfile.Profile() as running:
        requests(client, example, variants)
    pstats.Stats(running).sort_stats("cumulative").print_stats("plimsoll_service", SHOWN_FUNCTIONS)


def requests(client: FlaskClient, example: str, variants: int) -> list[float]:
    """Time of each variant's request; each answer is checked."""

    def ask(body: str) -> Any:
        return client.post("/v1/recommendations", data=body, content_type="application/json")

    def check(response: Any) -> None:
        assert response.status_code == 200, response.get_data(as_text=True)
        recommendations(response.get_json())

    bodies = [json.dumps(variant(example, number)) for number in range(WARM_UP + variants)]
    return _times(bodies, ask, check)


def sizing(client: FlaskClient, example: str, variants: int) -> list[float]:
    """Time of the use case alone for each variant, of amounts that ``requests`` does not ask."""
    with client.application.app_context():
        sizer = service().sizer
    numbers = range(MOST_VARIANTS, MOST_VARIANTS + WARM_UP + variants)
    queries = [load(REQUEST, variant(example, number)) for number in numbers]

    def check(answer: Any) -> None:
        assert answer.recommendations

    return _times(queries, sizer.recommend, check)


def _times(questions: list[Any], ask: Callable[[Any], Any], check: Callable[[Any], None]) -> list[float]:
    """Milliseconds of each question but the first few."""
    taken = []
    for question in questions:
        began = time.perf_counter()
        answer = ask(question)
        taken.append((time.perf_counter() - began) * 1000)
        check(answer)
    return taken[WARM_UP:]


if __name__ == "__main__":
    main()
