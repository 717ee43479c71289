"""A file of prices of one's own, CSV or JSON, at an address or on disk: the whole list of the clouds that it names."""

from __future__ import annotations

import csv
import gzip
import io
import json
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

import httpx

from plimsoll_service.engine import names
from plimsoll_service.prices.feeds.currency import LIST, Rate, rate
from plimsoll_service.prices.feeds.feed import SPOT, FeedError, FeedRequest, Fetched, OfferQuote, VolumeQuote
from plimsoll_service.prices.feeds.file.schema import COLUMNS, checked
from plimsoll_service.prices.feeds.http import client, download

WEB = ("http://", "https://")
GZIP = b"\x1f\x8b"
LARGEST_BYTES = 1 << 28  # some ten times a file with every offer of the bundled catalog
OFFERS, VOLUMES = SECTIONS = ("offers", "volumes")
VOLUME_COLUMN = "product"  # a row that fills it is a volume's
NAMED_FAULTS = 20
NAME = "file"
NAMED_SKIPPED = 5


def name_of(address: str) -> str:
    """The file's own name: what may be shown, for an address can carry a password or a key."""
    if not _is_web(address):
        return Path(address).name
    try:
        parts = urlsplit(address)
        return Path(parts.path).name or str(parts.hostname)
    except ValueError as error:
        raise FeedError(f"--url is no address: {error}") from error


def text_of(address: str) -> str:
    """The file's text; raises ``FeedError`` where it cannot be had whole."""
    name = name_of(address)
    try:
        content = _downloaded(address) if _is_web(address) else _read(Path(address))
        if len(content) > LARGEST_BYTES:
            raise FeedError(f"{name}: is larger than {LARGEST_BYTES >> 20} MiB")
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FeedError(f"{name}: is not UTF-8 text: {error.reason} at byte {error.start}") from error
    except (EOFError, OSError, zlib.error, httpx.InvalidURL) as error:
        raise FeedError(f"{name}: cannot be read: {_reason(error)}") from error


def _is_web(address: str) -> bool:
    return address.lower().startswith(WEB)


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        return _unpacked(file)


def _downloaded(address: str) -> bytes:
    with tempfile.TemporaryFile() as file, client() as http:
        download(http, address, file)
        return _unpacked(file)


def _unpacked(file: IO[bytes]) -> bytes:
    """All of the file, or just more than is allowed."""
    packed = file.read(len(GZIP)) == GZIP
    file.seek(0)
    if not packed:
        return file.read(LARGEST_BYTES + 1)
    with gzip.GzipFile(fileobj=file) as unpacked:
        return unpacked.read(LARGEST_BYTES + 1)


def _reason(error: Exception) -> str:
    """Why, without the address, which is named already."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


@dataclass(frozen=True, slots=True)
class Row:
    """Either an offer or a volume, as it is written; in CSV every value is text, and empty cells are left out."""

    place: str
    volume: bool
    values: Mapping[str, Any]


def refused(faults: list[str]) -> FeedError:
    """The error of a file with these faults: the first ones by name, and how many more there are."""
    more = [f"and {len(faults) - NAMED_FAULTS} more"] if len(faults) > NAMED_FAULTS else []
    return FeedError("\n".join(faults[:NAMED_FAULTS] + more))


def rows_of(name: str, text: str, columns: frozenset[str]) -> tuple[list[Row], list[str]]:
    """The file's rows and what is wrong with others; raises ``FeedError`` where the file is of neither format."""
    is_json = text.lstrip()[:1] in ("{", "[")
    rows, faults = _json_rows(name, text) if is_json else _csv_rows(name, text, columns)
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
        Row(f"{name}: {section}[{number}]", section == VOLUMES, _filled(item))
        for section, number, item in items
        if isinstance(item, dict)
    ]
    return rows, [f"{name}: {s}[{number}]: is not an object" for s, number, item in items if not isinstance(item, dict)]


def _filled(item: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in item.items() if value is not None}


def _csv_rows(name: str, text: str, columns: frozenset[str]) -> tuple[list[Row], list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[Row] = []
    faults: list[str] = []
    try:
        header = [cell.strip() for cell in next(reader, [])]
        _check_header(name, header, columns)
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


def _check_header(name: str, header: list[str], columns: frozenset[str]) -> None:
    twice = sorted({column for column in header if header.count(column) > 1})
    faults = [f"{name}:1: the column {column!r} stands twice" for column in twice]
    faults += [f"{name}:1: {names.unknown('column', c, sorted(columns))}" for c in header if c not in columns]
    if faults:
        raise refused(faults)


@dataclass(frozen=True, slots=True)
class _Price:
    """A row that is in order, with its place."""

    place: str
    volume: bool
    values: Mapping[str, Any]

    @property
    def key(self) -> tuple[str, ...]:
        """What no other row may be."""
        kept = ("product", "region") if self.volume else ("instance_type", "region", "purchase")
        return (self.values["cloud"], *(self.values[name] for name in kept))


@dataclass(frozen=True)
class FileFeed:
    """The feed ``file``: ``request.base_url`` is an http(s) address or a path."""

    name: str = NAME

    def fetch(self, request: FeedRequest) -> Fetched:
        """All prices of the file; raises ``FeedError`` with every fault, each with its line."""
        if not request.base_url:
            raise FeedError("the feed 'file' needs --url: an http(s) address or a path")
        name = name_of(request.base_url)
        rows, faults = rows_of(name, text_of(request.base_url), COLUMNS)
        prices = _sound(rows, request, faults)
        _check_regions(request, prices)
        request.report(f"{name}: prices: {len(prices):,}")
        return _fetched(request, prices)


FEED = FileFeed()


def _sound(rows: list[Row], request: FeedRequest, faults: list[str]) -> list[_Price]:
    """The rows as prices; raises ``FeedError`` where any of them, or what was read before them, is faulty."""
    prices: list[_Price] = []
    places: dict[tuple[str, ...], str] = {}
    for row in rows:
        values, wrong = checked(row.values, volume=row.volume)
        if values is not None:
            price = _Price(row.place, row.volume, values)
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


def _faults(price: _Price, request: FeedRequest) -> Iterator[str]:
    """What is wrong with a row whose fields are each in order."""
    cloud = price.values["cloud"]
    if cloud not in request.clouds:
        yield names.unknown("cloud", cloud, sorted(request.clouds))
    if price.values.get("interruptions_per_hour") is not None and price.values["purchase"] != SPOT:
        yield "interruptions_per_hour has no place in an offer that is not on spot"


def _check_regions(request: FeedRequest, prices: Iterable[_Price]) -> None:
    clouds = {price.values["cloud"] for price in prices}
    known = {region for cloud in clouds for region in request.clouds[cloud].known_regions}
    unknown = sorted(set(request.regions or ()) - known)
    if unknown:
        raise FeedError(f"no cloud of the file has a region {', '.join(unknown)}")


def _left_out(request: FeedRequest, price: _Price) -> str | None:
    """Why a price is not taken over, if it is not."""
    values, facts = price.values, request.clouds[price.values["cloud"]]
    if request.regions is not None and values["region"] not in request.regions:
        return "region not asked for"
    if values["region"] not in facts.known_regions:
        return "region unknown to the catalog"
    if price.volume:
        return None if values["product"] in facts.products else "volume product unknown to the catalog"
    if values["instance_type"] not in facts.types:
        return "instance type unknown to the catalog"
    return None if values["current"] else "no longer sold"


def _fetched(request: FeedRequest, prices: list[_Price]) -> Fetched:
    taken: list[_Price] = []
    left: dict[str, list[_Price]] = {}
    for price in prices:
        why = _left_out(request, price)
        (taken if why is None else left.setdefault(why, [])).append(price)
    return Fetched(
        source=NAME,
        offers=tuple(_offer(request, price.values) for price in taken if not price.volume),
        covered=_covered(request, prices),
        volumes=tuple(_volume(request, price.values) for price in taken if price.volume),
        notes=tuple(_note(why, skipped) for why, skipped in left.items()),
    )


def _covered(request: FeedRequest, prices: Iterable[_Price]) -> frozenset[tuple[str, str, str]]:
    """The file is the whole list of each cloud and purchase option that it names: in all regions asked for."""
    named = {(price.values["cloud"], price.values["purchase"]) for price in prices if not price.volume}
    return frozenset(
        (cloud, region, purchase)
        for cloud, purchase in named
        for region in request.clouds[cloud].known_regions
        if request.regions is None or region in request.regions
    )


def _note(why: str, skipped: list[_Price]) -> str:
    some = ", ".join(" ".join(price.key) for price in skipped[:NAMED_SKIPPED])
    more = " …" if len(skipped) > NAMED_SKIPPED else ""
    return f"left out, {why}: {len(skipped):,} ({some}{more})"


def _offer(request: FeedRequest, values: Mapping[str, Any]) -> OfferQuote:
    worth = rate(request, values["currency"])
    return OfferQuote(
        values["cloud"],
        values["instance_type"],
        values["region"],
        values["purchase"],
        values["usd_per_hour"] * worth.usd_per_unit,
        confidence=_confidence(values, worth),
        source=values["source"] + worth.remark,
        as_of=values["as_of"],
        interruptions_per_hour=values["interruptions_per_hour"],
    )


def _volume(request: FeedRequest, values: Mapping[str, Any]) -> VolumeQuote:
    worth = rate(request, values["currency"])

    def usd(column: str) -> float | None:
        return None if values[column] is None else values[column] * worth.usd_per_unit

    return VolumeQuote(
        values["cloud"],
        values["product"],
        values["region"],
        values["usd_per_gib_month"] * worth.usd_per_unit,
        usd("usd_per_iops_month"),
        usd("usd_per_mib_s_month"),
        confidence=_confidence(values, worth),
        source=values["source"] + worth.remark,
    )


def _confidence(values: Mapping[str, Any], worth: Rate) -> str:
    """As stated, but that a converted list price is a derived one."""
    stated: str = values["confidence"]
    return worth.confidence if stated == LIST else stated
