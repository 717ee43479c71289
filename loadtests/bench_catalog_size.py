"""Time with a larger catalog: the same questions over the bundled catalog and over one many times its size.

``resold``: every machine is sold under that many names, each at prices of its own, as on a marketplace. ``varied``: no
machine is like another, the most that a catalog can cost. Questions take turns, so that whatever else the machine does
meets all alike; what counts is the ratio.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from synthetic import resold, varied
from workloads import EXAMPLES, variant

from plimsoll_service.api.loading import load
from plimsoll_service.api.recommendations import REQUEST
from plimsoll_service.catalog import snapshot
from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.engine.workload import Query
from plimsoll_service.evidence import coefficients
from plimsoll_service.prices.live import LivePrices
from plimsoll_service.sizing import Sizer

WARM_UP = 3
MOST_VARIANTS = 1000


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--times", type=int, default=100, help="how many times the types")
    options.add_argument("--variants", type=int, default=30, help=f"questions an example, up to {MOST_VARIANTS}")
    options.add_argument("--varied", action="store_true", help="no machine like another")
    given = options.parse_args()
    catalog = snapshot.load()
    sizers = [sizer_of(one) for one in (catalog, (varied if given.varied else resold)(catalog, given.times))]
    print(f"{len(catalog.instance_types)} and {len(catalog.instance_types) * given.times} instance types")
    print(f"{'example':<24}{'first ms':>10}{'first ms':>10}{'ms':>8}{'ms':>8}{'ratio':>8}")
    for example in EXAMPLES:
        first = [milliseconds(sizer, query_of(example, 0)) for sizer in sizers]
        rounds = range(1, WARM_UP + min(given.variants, MOST_VARIANTS) + 1)
        taken = [[milliseconds(sizer, query_of(example, number)) for sizer in sizers] for number in rounds]
        small, large = np.median(taken[WARM_UP:], axis=0)
        print(f"{example:<24}{first[0]:>10.1f}{first[1]:>10.1f}{small:>8.2f}{large:>8.2f}{large / small:>8.2f}")


def sizer_of(catalog: Catalog) -> Sizer:
    """The use case over a catalog, with its own prices."""
    return Sizer(catalog, coefficients.load(), LivePrices(catalog))


def milliseconds(sizer: Sizer, query: Query) -> float:
    """The time of one recommendation."""
    began = time.perf_counter()
    found = sizer.recommend(query)
    taken = (time.perf_counter() - began) * 1000
    assert found.recommendations
    return taken


def query_of(example: str, number: int) -> Query:
    """The variant as the engine takes it."""
    query: Query = load(REQUEST, variant(example, number))
    return query


if __name__ == "__main__":
    main()
