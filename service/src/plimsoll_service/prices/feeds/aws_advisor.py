"""The Spot Advisor's public figures: what spot saves over on demand, and how often it is interrupted."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from plimsoll_service.prices.feeds.feed import FeedError, FeedRequest
from plimsoll_service.prices.feeds.http import get_json, moved, shown

ADDRESS = "https://spot-bid-advisor.s3.amazonaws.com/spot-advisor-data.json"
SYSTEM = "Linux"
HOURS_PER_MONTH = 730
# Shares of machines interrupted in the trailing month: the middle of each band, and of the open one 25%.
MONTHLY_SHARE = {"<5%": 0.025, "5-10%": 0.075, "10-15%": 0.125, "15-20%": 0.175, ">20%": 0.25}


@dataclass(frozen=True, slots=True)
class Advice:
    """Of an instance type in a region; ``None`` where the advisor says nothing that can be read."""

    price_share: float | None  # of the price on demand
    interruptions_per_hour: float | None


@dataclass(frozen=True)
class Advisor:
    """All advice, by region and instance type; an empty one knows nothing."""

    regions: Mapping[str, Mapping[str, Advice]]

    def interruptions_per_hour(self, region: str, instance_type: str) -> float | None:
        """The rate of one machine, where it is known."""
        advice = self.regions.get(region, {}).get(instance_type)
        return advice.interruptions_per_hour if advice else None


def fetch_advisor(http: httpx.Client, request: FeedRequest) -> Advisor:
    """The advice of now; raises ``FeedError``."""
    url = moved(ADDRESS, request.base_url)
    document = get_json(http, url)
    try:
        regions = document["spot_advisor"]
        labels = {band["index"]: band["label"] for band in document["ranges"]}
        advice = {
            region: {name: _advice(entry, labels) for name, entry in systems.get(SYSTEM, {}).items()}
            for region, systems in regions.items()
        }
    except (KeyError, TypeError, AttributeError) as error:
        raise FeedError(f"{shown(url)}: is not in the form expected: {type(error).__name__} {error}") from error
    if not any(advice.values()):
        raise FeedError(f"{shown(url)}: says nothing about {SYSTEM}")
    return Advisor(advice)


def rate_per_hour(monthly_share: float) -> float:
    """The constant hazard under which that share of machines is interrupted within a month: −ln(1 − f) / 730 h."""
    return -math.log1p(-monthly_share) / HOURS_PER_MONTH


def _advice(entry: Any, labels: Mapping[Any, Any]) -> Advice:
    savings, band = entry.get("s"), entry.get("r")
    known = isinstance(savings, (int, float)) and 0 <= savings < 100
    share = MONTHLY_SHARE.get(labels.get(band, ""))
    return Advice(1 - savings / 100 if known else None, None if share is None else rate_per_hour(share))
