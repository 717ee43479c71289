"""The columns of a price file, as documented, and the checks of their values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, missing, validate

from plimsoll_service.engine import names
from plimsoll_service.engine.hardware import CONFIDENCES, PURCHASE_NAMES

from ...snapshots import moments
from ...snapshots.codec import HIGHEST_USD_PER_HOUR, HIGHEST_USD_PER_MONTH, LOWEST_USD_PER_HOUR, LOWEST_USD_PER_MONTH
from ..currency import USD

CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]")
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


class _Row(Schema):
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


class OfferRow(_Row):
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


class VolumeRow(_Row):
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
