"""Time of a recommendation over the whole catalog, in process, without a network: milliseconds by example."""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import time

import numpy as np
from checks import recommendations
from flask.testing import FlaskClient
from workloads import EXAMPLES, variant

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
    print(f"{'example':<24}{'median ms':>12}{'p90 ms':>10}{'p99 ms':>10}")
    for example in EXAMPLES:
        median, p90, p99 = np.percentile(milliseconds(client, example, variants), (50, 90, 99))
        print(f"{example:<24}{median:>12.1f}{p90:>10.1f}{p99:>10.1f}")


def profile(client: FlaskClient, example: str, variants: int) -> None:
    """Print the service's functions by the time that they and their callees take; the profiler adds to each call."""
    milliseconds(client, example, WARM_UP)
    with cProfile.Profile() as running:
        milliseconds(client, example, variants)
    pstats.Stats(running).sort_stats("cumulative").print_stats("plimsoll_service", SHOWN_FUNCTIONS)


def milliseconds(client: FlaskClient, example: str, variants: int) -> list[float]:
    """Time of each variant, after a few that do not count; each answer is checked."""
    taken = []
    for number in range(WARM_UP + variants):
        body = json.dumps(variant(example, number))
        began = time.perf_counter()
        response = client.post("/v1/recommendations", data=body, content_type="application/json")
        taken.append((time.perf_counter() - began) * 1000)
        assert response.status_code == 200, response.get_data(as_text=True)
        recommendations(response.get_json())
    return taken[WARM_UP:]


if __name__ == "__main__":
    main()
