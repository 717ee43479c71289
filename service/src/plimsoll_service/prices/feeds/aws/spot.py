"""Spot offers of AWS: from the EC2 price history where the credentials allow it, else estimated from the Spot Advisor.

https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeSpotPriceHistory.html
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import httpx
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from botocore.loaders import Loader, create_loader
from botocore.parsers import ResponseParserError
from botocore.session import Session

from ....engine.units import HOURS_PER_MONTH
from .. import currency
from ..feed import SPOT, UNPRICED, FeedError, FeedRequest, OfferQuote
from ..http import SERVER_ERROR, THROTTLED, TIMEOUT, get_json, moved, retried, shown
from .on_demand import SOURCE, RegionPrices
from .price_list import currency_of, each_region

SYSTEMS = ("Linux/UNIX", "Linux/UNIX (Amazon VPC)")
KEY, SECRET, TOKEN = "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"
THROTTLING = frozenset({"RequestLimitExceeded", "Throttling", "ThrottlingException", "RequestThrottled"})
REFUSED_STATUS = frozenset({401, 403})
REFUSED = frozenset({"AuthFailure", "ExpiredToken", "OptInRequired", "RequestExpired", "UnauthorizedOperation"})
# Errors of botocore for a body that is no answer or was cut on its way.
GARBLED = (ResponseParserError, ValueError, KeyError, TypeError)
NO_SUCH_TYPE = frozenset({"InvalidInstanceType", "InvalidParameterValue"})
ADDRESS = "https://spot-bid-advisor.s3.amazonaws.com/spot-advisor-data.json"
SYSTEM = "Linux"
# Shares of machines interrupted in the last month: the middle of each band, 25% for the open one.
MONTHLY_SHARE = {"<5%": 0.025, "5-10%": 0.075, "10-15%": 0.125, "15-20%": 0.175, ">20%": 0.25}
HISTORY = "EC2 spot price history"
ESTIMATE = f"estimated: Spot Advisor's savings on the {SOURCE}"


class CredentialsRefused(FeedError):
    """There are no credentials, or AWS does not accept them for spot prices."""


class Point(NamedTuple):
    """The spot price of an instance type in its cheapest zone, in the region's currency."""

    instance_type: str
    amount: float
    as_of: str | None


@dataclass(frozen=True)
class SpotHistory:
    """The spot price history of EC2; ``session`` holds the credentials."""

    session: Session
    base_url: str | None

    def latest(self, region: str, instance_type: str | None = None) -> tuple[Point, ...]:
        """The prices in force, sorted by type; raises ``FeedError``, or ``CredentialsRefused``."""
        found: dict[tuple[str, str], Mapping[str, Any]] = {}
        for entry in self._entries(region, instance_type):
            zone = str(entry.get("AvailabilityZone") or entry.get("AvailabilityZoneId"))
            place = (entry["InstanceType"], zone)
            local = zone.startswith(f"{region}-")  # or Wavelength ("us-west-2-lax-1a"); regional offers exclude both
            if not local and (place not in found or _moment(entry) > _moment(found[place])):
                found[place] = entry
        return tuple(_cheapest(found.values()))

    def _entries(self, region: str, instance_type: str | None) -> Iterator[Mapping[str, Any]]:
        """All pages of the history from now on; it begins with the price in force in each zone."""
        asked: dict[str, Any] = {"ProductDescriptions": list(SYSTEMS), "StartTime": datetime.now(UTC)}
        if instance_type is not None:
            asked["InstanceTypes"] = [instance_type]
        client = self._client(region)
        tokens: set[str] = set()
        while True:
            page = _ask(region, client.describe_spot_price_history, asked)
            if "SpotPriceHistory" not in page:
                raise FeedError(f"{region}: the answer holds no spot price history")
            for entry in page["SpotPriceHistory"]:
                missing = {"InstanceType", "SpotPrice", "Timestamp"} - entry.keys()
                if missing:
                    raise FeedError(f"{region}: a spot price lacks {', '.join(sorted(missing))}")
                yield entry
            token = page.get("NextToken")
            if not token:
                return
            if token in tokens:
                raise FeedError(f"{region}: the pages of the spot price history repeat")
            tokens.add(token)
            asked["NextToken"] = token

    def _client(self, region: str) -> Any:
        read, connect = TIMEOUT.read, TIMEOUT.connect
        config = Config(retries={"total_max_attempts": 1}, read_timeout=read, connect_timeout=connect)
        try:
            return self.session.create_client("ec2", region_name=region, endpoint_url=self.base_url, config=config)
        except (BotoCoreError, ValueError) as error:
            raise FeedError(f"{region}: {error}") from error


def spot_history(environment: Mapping[str, str], base_url: str | None) -> SpotHistory:
    """The history with credentials of the environment, else of AWS' chain; raises ``CredentialsRefused`` for none."""
    session = Session()
    session.register_component("data_loader", _loader())
    try:
        if environment.get(KEY) and environment.get(SECRET):
            session.set_credentials(environment[KEY], environment[SECRET], environment.get(TOKEN) or None)
        if session.get_credentials() is None:
            raise CredentialsRefused("no AWS credentials")
    except BotoCoreError as error:
        # The text may quote the output of a credential process.
        raise CredentialsRefused(f"no usable AWS credentials ({type(error).__name__})") from error
    return SpotHistory(session, base_url)


@cache
def _loader() -> Loader:
    """The shared loader: reading EC2's description takes most of a client's start."""
    return create_loader()


def _ask(region: str, call: Any, asked: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        return retried(lambda: call(**asked), _may_pass)
    except ClientError as error:
        code = _code(error)
        if _status(error) in REFUSED_STATUS or code in REFUSED:
            raise CredentialsRefused(f"AWS refuses these credentials ({code})") from error
        if code in NO_SUCH_TYPE and any(name in str(error) for name in asked.get("InstanceTypes", ())):
            return {"SpotPriceHistory": []}
        raise FeedError(f"{region}: the spot price history answers {_status(error)} {code}") from error
    except GARBLED as error:
        raise FeedError(f"{region}: the spot price history is truncated or garbled") from error
    except BotoCoreError as error:
        # The type alone: the text may quote the output of a credential process.
        raise FeedError(f"{region}: the spot price history cannot be had ({type(error).__name__})") from error


def _may_pass(error: Exception) -> bool:
    if isinstance(error, ClientError):
        return _code(error) in THROTTLING or _status(error) == THROTTLED or _status(error) >= SERVER_ERROR
    return isinstance(error, (BotoCoreError, *GARBLED))


def _code(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code", ""))


def _status(error: ClientError) -> int:
    return int(error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))


def _cheapest(entries: Iterable[Mapping[str, Any]]) -> Iterator[Point]:
    by_type: dict[str, list[tuple[float, str]]] = {}
    for entry in entries:
        amount = currency.positive(entry["SpotPrice"])
        zones = by_type.setdefault(entry["InstanceType"], [])
        if amount is not None:
            zones.append((amount, _moment(entry).strftime("%Y-%m-%dT%H:%M:%SZ")))
    for name, zones in sorted(by_type.items()):
        yield Point(name, *min(zones, default=(UNPRICED, None)))


def _moment(entry: Mapping[str, Any]) -> datetime:
    moment: datetime = entry["Timestamp"]
    return moment.astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice on an instance type in a region; unpriced and ``None`` if the advisor states nothing readable."""

    price_share: float  # of the price on demand
    interruptions_per_hour: float | None


Advisor: TypeAlias = Mapping[str, Mapping[str, Advice]]  # by region and instance type


def fetch_advisor(http: httpx.Client, request: FeedRequest) -> Advisor:
    """The current advice; raises ``FeedError``."""
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
    return advice


def rate_per_hour(monthly_share: float) -> float:
    """The constant hazard that interrupts this share of machines within a month: −ln(1 − f) / 730 h."""
    return -math.log1p(-monthly_share) / HOURS_PER_MONTH


def _advice(entry: Any, labels: Mapping[Any, Any]) -> Advice:
    savings, band = entry.get("s"), entry.get("r")
    known = isinstance(savings, (int, float)) and 0 <= savings < 100
    share = MONTHLY_SHARE.get(labels.get(band, ""))
    return Advice(1 - savings / 100 if known else UNPRICED, None if share is None else rate_per_hour(share))


Offers: TypeAlias = tuple[OfferQuote, ...]


def spot_offers(
    http: httpx.Client, request: FeedRequest, sold: Sequence[RegionPrices]
) -> tuple[dict[str, Offers], list[str], list[str]]:
    """Spot offers by region for regions with prices on demand, notes, and what failed.

    Raises ``FeedError`` if the price history breaks in all regions or in many.
    """
    advisor, notes = _advisor(http, request)
    found, refused, failed = _from_history(request, advisor, sold)
    found |= {one.region: _estimate(advisor[one.region], one) for _, one in refused if one.region in advisor}
    for reason in sorted({reason for reason, _ in refused}):
        regions = [region.region for because, region in refused if because == reason]
        without = [region for region in regions if region not in advisor]
        where = "" if len(regions) == len(sold) else f" (in {', '.join(regions)})"
        if len(without) < len(regions):
            notes.append(f"{reason}{where}: spot prices are estimated from the Spot Advisor")
        if without:
            notes.append(f"{reason}, and no advice of the Spot Advisor: no spot prices in {', '.join(without)}")
    return found, notes, failed


def from_points(
    request: FeedRequest, region: str, points: Iterable[Point], advice: Mapping[str, Advice]
) -> tuple[OfferQuote, ...]:
    """Offers at the history's prices, with the rates of interruption that the advice on the region states."""
    rate = currency.rate(request, currency_of(region))
    return tuple(
        OfferQuote(
            request.cloud,
            name,
            region,
            SPOT,
            amount * rate.usd_per_unit,
            rate.confidence,
            HISTORY + rate.remark,
            as_of,
            advice[name].interruptions_per_hour if name in advice else None,
        )
        for name, amount, as_of in points
    )


def _advisor(http: httpx.Client, request: FeedRequest) -> tuple[Advisor, list[str]]:
    try:
        return fetch_advisor(http, request), []
    except FeedError as error:
        return {}, [f"the Spot Advisor cannot be had, so interruption rates are missing: {error}"]


def _from_history(
    request: FeedRequest, advisor: Advisor, sold: Sequence[RegionPrices]
) -> tuple[dict[str, Offers], list[tuple[str, RegionPrices]], list[str]]:
    """The history's offers, the regions that it refuses with the reasons, and the faults of those that it fails."""
    try:
        history = spot_history(request.environment, request.base_url)
    except CredentialsRefused as error:
        return {}, [(str(error), region) for region in sold], []
    refused: list[tuple[str, RegionPrices]] = []
    prices = {region.region: region for region in sold}

    def ask(region: str) -> tuple[str, Offers] | None:
        try:
            points = history.latest(region)
        except CredentialsRefused as error:
            refused.append((str(error), prices[region]))
            return None
        if not points:
            raise FeedError(f"{region}: the spot price history is empty")
        offers = from_points(request, region, points, advisor.get(region, {}))
        request.report(f"{request.cloud}: {region}: {len(offers)} machines on spot")
        return region, offers

    found, failed = each_region(prices, ask)
    return dict(filter(None, found)), refused, [f"no spot prices: {error}" for error in failed.values()]


def _estimate(advice: Mapping[str, Advice], sold: RegionPrices) -> Offers:
    """Prices on demand less the advisor's savings."""
    return tuple(
        replace(
            offer,
            purchase=SPOT,
            usd_per_hour=offer.usd_per_hour * found.price_share,
            confidence="estimated",
            source=ESTIMATE,
            interruptions_per_hour=found.interruptions_per_hour,
        )
        for offer in sold.offers
        if (found := advice.get(offer.instance_type))
    )
