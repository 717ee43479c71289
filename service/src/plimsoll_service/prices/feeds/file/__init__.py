"""The operator's own file of prices, CSV or JSON: the whole price list of the clouds that it names."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

import httpx
from marshmallow import RAISE, Schema, ValidationError, fields, missing, validate

from ....columns_file import CONTROL_CHARACTERS
from ....engine import names
from ....engine.hardware import CONFIDENCES, PURCHASE_NAMES
from ...snapshots import moments
from ...snapshots.codec import HIGHEST_USD_PER_HOUR, HIGHEST_USD_PER_MONTH, LOWEST_USD_PER_HOUR, LOWEST_USD_PER_MONTH
from ..currency import LIST, USD, rate
from ..feed import SPOT, FeedError, FeedRequest, Fetched, OfferQuote, VolumeQuote, few
from ..http import client, download

WEB = ("http://", "https://")
GZIP = b"\x1f\x8b"
LARGEST_BYTES = 1 << 28  # about ten times a file with all offers of the bundled catalog
OFFERS, VOLUMES = SECTIONS = ("offers", "volumes")
VOLUME_COLUMN = "product"  # only rows of volumes fill it
NAMED_FAULTS = 20
NAME = "file"
# Python also reads "1_0" as a number, which is a typing error here.
PLAIN_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
CURRENCY_CODE = r"^[A-Z]{3}\Z"  # ISO 4217
# East of Greenwich the day begins before it does in UTC.
LATEST = timedelta(days=1)
TEXT_MESSAGES: dict[str, Any] = {"required": "is missing", "invalid": "is not a text", "invalid_utf8": "is not a text"}
NUMBER_MESSAGES: dict[str, Any] = {
    "required": "is missing", "invalid": "is not a number", "special": "is not a number", "too_large": "is too large",
}  # fmt: skip


def _plain(value: str) -> None:
    if not value.strip():
        raise ValidationError("is empty")
    if CONTROL_CHARACTERS.search(value):
        raise ValidationError("holds a control character")


def _name() -> fields.String:
    return fields.String(required=True, validate=_plain, error_messages=TEXT_MESSAGES)


def _choice(chosen: tuple[str, ...], default: str) -> fields.String:
    rule = validate.OneOf(chosen, error="is {input!r}, not one of {choices}")
    return fields.String(load_default=default, validate=rule, error_messages=TEXT_MESSAGES)


class _Number(fields.Float):
    """A finite number, also as plain text."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> float:
        if isinstance(value, str) and not PLAIN_NUMBER.fullmatch(value):
            raise self.make_error("invalid", input=value)
        return super()._deserialize(value, attr, data, **kwargs)


def _price(least: float, most: float, *, required: bool = False) -> _Number:
    rule = validate.Range(min=least, max=most, error="is {input}, not from {min} to {max}")
    default = missing if required else None
    return _Number(required=required, load_default=default, validate=rule, error_messages=NUMBER_MESSAGES)


class _AsOf(fields.Field[str]):
    """A date or a moment that is not in the future."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        if not isinstance(value, str):
            raise ValidationError("is not a text")
        try:
            written, moment = _day_or_moment(value)
        except ValueError:
            raise ValidationError(
                f"is {value!r}, neither a date (YYYY-MM-DD) nor a time in UTC (…T07:30:00Z)"
            ) from None
        if moment > datetime.now(UTC) + LATEST:
            raise ValidationError(f"is {value}, which is yet to come")
        return written


def _day_or_moment(value: str) -> tuple[str, datetime]:
    """The date or moment as tables write it, and as a moment; raises ``ValueError``."""
    if moments.is_moment(value):
        return value, moments.parsed(value)
    day = date.fromisoformat(value)
    return day.isoformat(), datetime(day.year, day.month, day.day, tzinfo=UTC)


class _Shared(Schema):
    """The columns that offers and volumes share."""

    class Meta:
        """Unknown columns are faults."""

        unknown = RAISE

    cloud = _name()
    region = _name()
    source = _name()
    confidence = _choice(CONFIDENCES, CONFIDENCES[0])
    currency = fields.String(
        load_default=USD,
        validate=validate.Regexp(CURRENCY_CODE, error="is {input!r}, not three capital letters"),
        error_messages=TEXT_MESSAGES,
    )


class OfferRow(_Shared):
    """One offer; its amounts are in ``currency``."""

    instance_type = _name()
    purchase = _choice(PURCHASE_NAMES, PURCHASE_NAMES[0])
    usd_per_hour = _price(LOWEST_USD_PER_HOUR, HIGHEST_USD_PER_HOUR, required=True)
    current = fields.Boolean(
        load_default=True,
        truthy={"true", "True", "TRUE", True},
        falsy={"false", "False", "FALSE", False},
        error_messages={"invalid": "is not true or false"},
    )
    as_of = _AsOf(load_default=None)
    interruptions_per_hour = _Number(
        load_default=None, validate=validate.Range(min=0, error="is {input}, below 0"), error_messages=NUMBER_MESSAGES
    )


class VolumeRow(_Shared):
    """One volume product in a region, per GiB and month."""

    product = _name()
    usd_per_gib_month = _price(LOWEST_USD_PER_MONTH, HIGHEST_USD_PER_MONTH, required=True)
    usd_per_iops_month = _price(LOWEST_USD_PER_MONTH, HIGHEST_USD_PER_MONTH)
    usd_per_mib_s_month = _price(LOWEST_USD_PER_MONTH, HIGHEST_USD_PER_MONTH)


OFFER, VOLUME = OfferRow(), VolumeRow()
COLUMNS = frozenset(OFFER.fields) | frozenset(VOLUME.fields)


def checked(values: Mapping[str, Any], *, volume: bool) -> tuple[dict[str, Any] | None, list[str]]:
    """The row with its defaults, or all of its faults."""
    schema = VOLUME if volume else OFFER
    try:
        loaded: dict[str, Any] = schema.load(values)
    except ValidationError as error:
        return None, list(_said(schema, error.messages_dict))
    return loaded, []


def _said(schema: Schema, messages: Mapping[str, Any]) -> Iterator[str]:
    for field, faults in messages.items():
        if field in schema.fields:
            yield f"{field} {', '.join(map(str, faults))}"
        elif field in COLUMNS:
            yield f"{field} has no place in the row of {'a volume' if schema is VOLUME else 'an offer'}"
        else:
            yield names.unknown("field", field, sorted(schema.fields))


def name_of(address: str) -> str:
    """The file's name for messages, as its address may hold a password or a key."""
    if not _is_web(address):
        return Path(address).name
    try:
        parts = urlsplit(address)
        return Path(parts.path).name or str(parts.hostname)
    except ValueError as error:
        raise FeedError(f"--url is no address: {error}") from error


def text_of(address: str) -> str:
    """The whole text of the file; raises ``FeedError``."""
    name = name_of(address)
    try:
        content = _content(address)
        if len(content) > LARGEST_BYTES:
            raise FeedError(f"{name}: is larger than {LARGEST_BYTES >> 20} MiB")
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FeedError(f"{name}: is not UTF-8 text: {error.reason} at byte {error.start}") from error
    except (EOFError, OSError, zlib.error, httpx.InvalidURL) as error:
        # An error of the system states its reason without the address.
        reason = getattr(error, "strerror", None) or str(error)
        raise FeedError(f"{name}: cannot be read: {reason}") from error


def _is_web(address: str) -> bool:
    return address.lower().startswith(WEB)


def _content(address: str) -> bytes:
    if not _is_web(address):
        with Path(address).open("rb") as file:
            return _unpacked(file)
    with tempfile.TemporaryFile() as file, client() as http:
        download(http, address, file)
        return _unpacked(file)


def _unpacked(file: IO[bytes]) -> bytes:
    """The content of the file, at most a byte more than allowed."""
    packed = file.read(len(GZIP)) == GZIP
    file.seek(0)
    if not packed:
        return file.read(LARGEST_BYTES + 1)
    with gzip.GzipFile(fileobj=file) as unpacked:
        return unpacked.read(LARGEST_BYTES + 1)


@dataclass(frozen=True, slots=True)
class Row:
    """An offer or a volume as written; in CSV all values are text, and empty cells are left out."""

    place: str
    volume: bool
    values: Mapping[str, Any]

    @property
    def key(self) -> tuple[str, ...]:
        """The values that no other row may have."""
        kept = ("product", "region") if self.volume else ("instance_type", "region", "purchase")
        return (self.values["cloud"], *(self.values[name] for name in kept))


def refused(faults: list[str]) -> FeedError:
    """The error for a file with these faults: the first ones, and the number of the others."""
    more = [f"and {len(faults) - NAMED_FAULTS} more"] if len(faults) > NAMED_FAULTS else []
    return FeedError("\n".join(faults[:NAMED_FAULTS] + more))


def rows_of(name: str, text: str) -> tuple[list[Row], list[str]]:
    """The file's rows, and the faults of unreadable ones; raises ``FeedError`` for another format."""
    is_json = text.lstrip()[:1] in ("{", "[")
    rows, faults = _json_rows(name, text) if is_json else _csv_rows(name, text)
    if not rows and not faults:
        raise FeedError(f"{name}: holds no prices")
    return rows, faults


def _json_rows(name: str, text: str) -> tuple[list[Row], list[str]]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FeedError(f"{name}: is not JSON: {error}") from error
    if not isinstance(document, dict):
        raise FeedError(f"{name}: must be an object with {' and '.join(SECTIONS)}")
    faults = [f"{name}: {names.unknown('field', key, SECTIONS)}" for key in document if key not in SECTIONS]
    faults += [f"{name}: {key} is not a list" for key in SECTIONS if not isinstance(document.get(key, []), list)]
    if faults:
        raise refused(faults)
    items = [(section, number, item) for section in SECTIONS for number, item in enumerate(document.get(section, []))]
    rows = [
        Row(f"{name}: {section}[{number}]", section == VOLUMES, {k: v for k, v in item.items() if v is not None})
        for section, number, item in items
        if isinstance(item, dict)
    ]
    return rows, [f"{name}: {s}[{number}]: is not an object" for s, number, item in items if not isinstance(item, dict)]


def _csv_rows(name: str, text: str) -> tuple[list[Row], list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[Row] = []
    faults: list[str] = []
    try:
        header = [cell.strip() for cell in next(reader, [])]
        _check_header(name, header)
        for cells in filter(None, reader):
            place = f"{name}:{reader.line_num}"
            if len(cells) == len(header):
                filled = {column: cell.strip() for column, cell in zip(header, cells, strict=True) if cell.strip()}
                rows.append(Row(place, VOLUME_COLUMN in filled, filled))
            else:
                faults.append(f"{place}: has {len(cells)} cells where the header has {len(header)}")
    except csv.Error as error:
        raise FeedError(f"{name}:{reader.line_num}: is not CSV: {error}") from error
    return rows, faults


def _check_header(name: str, header: list[str]) -> None:
    twice = sorted({column for column in header if header.count(column) > 1})
    faults = [f"{name}:1: the column {column!r} stands twice" for column in twice]
    faults += [f"{name}:1: {names.unknown('column', c, sorted(COLUMNS))}" for c in header if c not in COLUMNS]
    if faults:
        raise refused(faults)


@dataclass(frozen=True)
class FileFeed:
    """The feed ``file``: ``request.base_url`` is an http(s) address or a path."""

    name: str = NAME

    def fetch(self, request: FeedRequest) -> Fetched:
        """All prices of the file; raises ``FeedError`` with every fault, each with its line."""
        if not request.base_url:
            raise FeedError("the feed 'file' needs --url: an http(s) address or a path")
        name = name_of(request.base_url)
        rows, faults = rows_of(name, text_of(request.base_url))
        prices = _sound(rows, request, faults)
        _check_regions(request, prices)
        request.report(f"{name}: prices: {len(prices):,}")
        return _fetched(request, prices)


FEED = FileFeed()


def _sound(rows: list[Row], request: FeedRequest, faults: list[str]) -> list[Row]:
    """The rows with checked values; raises ``FeedError`` with all ``faults``, of these rows and of unreadable ones."""
    prices: list[Row] = []
    places: dict[tuple[str, ...], str] = {}
    for row in rows:
        values, wrong = checked(row.values, volume=row.volume)
        if values is not None:
            price = replace(row, values=values)
            wrong = list(_faults(price, request))
            if price.key in places:
                wrong.append(f"is the same {'volume' if row.volume else 'offer'} as {places[price.key]}")
            places.setdefault(price.key, row.place)
            prices.append(price)
        if wrong:
            faults.append(f"{row.place}: {'; '.join(wrong)}")
    if faults:
        raise refused(faults)
    return prices


def _faults(price: Row, request: FeedRequest) -> Iterator[str]:
    """The faults of a row whose fields are valid."""
    cloud = price.values["cloud"]
    if cloud not in request.clouds:
        yield names.unknown("cloud", cloud, sorted(request.clouds))
    if price.values.get("interruptions_per_hour") is not None and price.values["purchase"] != SPOT:
        yield "interruptions_per_hour has no place in an offer that is not on spot"


def _check_regions(request: FeedRequest, prices: Iterable[Row]) -> None:
    clouds = {price.values["cloud"] for price in prices}
    known = {region for cloud in clouds for region in request.clouds[cloud].known_regions}
    unknown = sorted(set(request.regions or ()) - known)
    if unknown:
        raise FeedError(f"no cloud of the file has a region {', '.join(unknown)}")


def _left_out(request: FeedRequest, price: Row) -> str | None:
    """The reason to leave a price out, if there is one."""
    values = price.values
    if request.regions is not None and values["region"] not in request.regions:
        return "region not asked for"
    return None if price.volume or values["current"] else "no longer sold"


def _fetched(request: FeedRequest, prices: list[Row]) -> Fetched:
    taken: list[Row] = []
    left: dict[str, list[Row]] = {}
    for price in prices:
        why = _left_out(request, price)
        (taken if why is None else left.setdefault(why, [])).append(price)
    return Fetched(
        source=NAME,
        offers=tuple(OfferQuote(**_quoted(request, price)) for price in taken if not price.volume),
        covered=_covered(request, prices),
        volumes=tuple(VolumeQuote(**_quoted(request, price)) for price in taken if price.volume),
        notes=tuple(
            f"left out, {why}: {len(rows):,} ({few(' '.join(row.key) for row in rows)})" for why, rows in left.items()
        ),
    )


def _covered(request: FeedRequest, prices: Iterable[Row]) -> frozenset[tuple[str, str, str]]:
    """Each cloud and purchase option that the file names, in all regions asked for."""
    named = {(price.values["cloud"], price.values["purchase"]) for price in prices if not price.volume}
    return frozenset(
        (cloud, region, purchase)
        for cloud, purchase in named
        for region in request.clouds[cloud].known_regions
        if request.regions is None or region in request.regions
    )


def _quoted(request: FeedRequest, row: Row) -> dict[str, Any]:
    """The fields of a row's quote, in USD; a converted list price is a derived one."""
    values = {name: value for name, value in row.values.items() if name not in ("currency", "current")}
    worth = rate(request, row.values["currency"])
    for name, value in values.items():
        if name.startswith("usd_per_") and value is not None:
            values[name] = value * worth.usd_per_unit
    confidence = worth.confidence if values["confidence"] == LIST else values["confidence"]
    return values | {"confidence": confidence, "source": values["source"] + worth.remark}
