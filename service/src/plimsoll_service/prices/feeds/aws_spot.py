"""Spot prices of EC2 through ``DescribeSpotPriceHistory``, asked with the operator's credentials.

https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeSpotPriceHistory.html
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any

import stamina
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from botocore.loaders import Loader, create_loader
from botocore.parsers import ResponseParserError
from botocore.session import Session

from plimsoll_service.prices.feeds.aws_region import readable
from plimsoll_service.prices.feeds.feed import FeedError
from plimsoll_service.prices.feeds.http import (
    ATTEMPTS,
    FIRST_WAIT_SECONDS,
    LONGEST_WAIT_SECONDS,
    SERVER_ERROR,
    THROTTLED,
    TIMEOUT,
)

SYSTEMS = ("Linux/UNIX", "Linux/UNIX (Amazon VPC)")
KEY, SECRET, TOKEN = "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"
THROTTLING = frozenset({"RequestLimitExceeded", "Throttling", "ThrottlingException", "RequestThrottled"})
REFUSED_STATUS = frozenset({401, 403})
REFUSED = frozenset({"AuthFailure", "ExpiredToken", "OptInRequired", "RequestExpired", "UnauthorizedOperation"})
# What botocore raises for a body that is no answer, or holds no dates; a body cut on its way looks the same.
GARBLED = (ResponseParserError, ValueError, KeyError, TypeError)
NO_SUCH_TYPE = frozenset({"InvalidInstanceType", "InvalidParameterValue"})


class CredentialsRefused(FeedError):
    """There are no credentials, or the provider does not accept them for this."""


@dataclass(frozen=True, slots=True)
class Point:
    """The spot price of an instance type in the zone where it is lowest, in the region's currency; 0 if unreadable."""

    instance_type: str
    amount: float
    as_of: str


@dataclass(frozen=True)
class SpotHistory:
    """Asks for spot prices; ``session`` holds the credentials."""

    session: Session
    base_url: str | None

    def latest(self, region: str, instance_type: str | None = None) -> tuple[Point, ...]:
        """The prices in force, sorted by type; raises ``FeedError``, or ``CredentialsRefused``."""
        found: dict[tuple[str, str], Mapping[str, Any]] = {}
        for entry in self._entries(region, instance_type):
            zone = str(entry.get("AvailabilityZone") or entry.get("AvailabilityZoneId"))
            place = (entry["InstanceType"], zone)
            if not _local(zone, region) and (place not in found or _moment(entry) > _moment(found[place])):
                found[place] = entry
        return tuple(_cheapest(found.values()))

    def _entries(self, region: str, instance_type: str | None) -> Iterator[Mapping[str, Any]]:
        """All pages of the history from now on, which begins with the price in force in each zone."""
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
    """With credentials of the environment, else of the provider's chain; raises ``CredentialsRefused`` for none."""
    session = Session()
    session.register_component("data_loader", _loader())
    try:
        if environment.get(KEY) and environment.get(SECRET):
            session.set_credentials(environment[KEY], environment[SECRET], environment.get(TOKEN) or None)
        if session.get_credentials() is None:
            raise CredentialsRefused("no AWS credentials")
    except BotoCoreError as error:
        # The text may quote what a credential process said.
        raise CredentialsRefused(f"no usable AWS credentials ({type(error).__name__})") from error
    return SpotHistory(session, base_url)


@cache
def _loader() -> Loader:
    """Shared, because reading the description of EC2 takes most of a client's start."""
    return create_loader()


def _ask(region: str, call: Any, asked: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        for attempt in stamina.retry_context(
            on=_may_pass,
            attempts=ATTEMPTS,
            timeout=None,
            wait_initial=FIRST_WAIT_SECONDS,
            wait_max=LONGEST_WAIT_SECONDS,
        ):
            with attempt:
                page: Mapping[str, Any] = call(**asked)
                return page
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
        # By its kind alone: the text may quote what a credential process said.
        raise FeedError(f"{region}: the spot price history cannot be had ({type(error).__name__})") from error
    raise AssertionError("a retry either returns or raises")


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
        amount = readable(str(entry["SpotPrice"]))
        zones = by_type.setdefault(entry["InstanceType"], [])
        if amount is not None:
            zones.append((amount, _moment(entry).strftime("%Y-%m-%dT%H:%M:%SZ")))
    for name, zones in sorted(by_type.items()):
        yield Point(name, *min(zones, default=(0.0, "")))


def _moment(entry: Mapping[str, Any]) -> datetime:
    moment: datetime = entry["Timestamp"]
    return moment.astimezone(UTC)


def _local(zone: str, region: str) -> bool:
    """Whether a zone is a local or Wavelength one ("us-west-2-lax-1a"), which no regional offer includes."""
    return zone.startswith(f"{region}-")
