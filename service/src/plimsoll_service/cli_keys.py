"""``plimsoll-service keys``: create, list, replace and revoke API keys; running services follow within seconds."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from .api.guard.key_file import MOST_NAME, KeyFileError, changing, read
from .api.guard.keys import SCOPES, ApiKey, minted
from .exit_status import DONE, REFUSED, say
from .settings import RateLimit, Settings, SettingsError

_PERIOD = re.compile(r"([1-9][0-9]{0,4})([dhm])")
_UNITS = {"d": timedelta(days=1), "h": timedelta(hours=1), "m": timedelta(minutes=1)}
DEFAULT_GRACE = timedelta(days=1)
Command = Callable[[argparse.Namespace], str | None]  # returns the secret of a new key


def add_keys(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the commands on API keys to the parser."""
    keys = commands.add_parser("keys", help="create, list, replace and revoke API keys")
    actions = keys.add_subparsers(title="actions", required=True, metavar="ACTION")
    making = _action(actions, "create", create, "make a key and print it, once, on standard output")
    making.add_argument("--name", type=_name, required=True, help="owner or purpose, as the list shows it")
    making.add_argument(
        "--scope",
        action="append",
        choices=tuple(SCOPES),
        default=[],
        help="; ".join(f"{scope}: {what}" for scope, what in SCOPES.items()) + "; default: size and read",
    )
    making.add_argument("--expires", type=_period, metavar="90d", help="days, hours or minutes until it expires")
    making.add_argument("--rate-limit", type=_rate, metavar="600/minute", help="default: PLIMSOLL_RATE_LIMIT")
    _action(actions, "list", show, "list the keys; what is secret of them is not kept")
    for name, command, does in (
        ("revoke", revoke, "take a key out of force"),
        ("rotate", rotate, "make a key in place of another, which ends after the time of grace, and print it"),
    ):
        acting = _action(actions, name, command, does)
        acting.add_argument("id", help="the part of the key between the underscores")
    acting.add_argument("--grace", type=_period, default=DEFAULT_GRACE, metavar="24h", help="default: a day")


def create(call: argparse.Namespace) -> str:
    """Create a key; return its secret."""
    scopes = frozenset(call.scope or ("size", "read"))
    secret, key = minted(call.name, scopes, expires=_after(call.expires), rate=call.rate_limit)
    with changing(_path(call)) as keys:
        keys[key.id] = key
    return secret


def rotate(call: argparse.Namespace) -> str:
    """Create a key with the scopes, limits and lifetime of another, which expires soon; return its secret."""
    with changing(_path(call)) as keys:
        old = _found(keys, call.id)
        life = old.expires - old.created if old.expires else None
        secret, new = minted(old.name, old.scopes, expires=_after(life), rate=old.rate)
        ends = datetime.now(UTC).replace(microsecond=0) + call.grace
        keys |= {old.id: replace(old, expires=min(ends, old.expires or ends)), new.id: new}
    return secret


def revoke(call: argparse.Namespace) -> None:
    """Remove a key from the file."""
    with changing(_path(call)) as keys:
        del keys[_found(keys, call.id).id]


def show(call: argparse.Namespace) -> None:
    """List the keys as a table."""
    keys, now = read(_path(call)), datetime.now(UTC)
    rows = [("id", "name", "scopes", "created", "expires", "rate_limit")]
    for key in keys.values():
        ends = "expired" if key.expired(now) else f"{key.expires:%Y-%m-%dT%H:%MZ}" if key.expires else "-"
        made = f"{key.created:%Y-%m-%d}"
        rows.append((key.id, key.name, ",".join(sorted(key.scopes)), made, ends, str(key.rate or "-")))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _reported(command: Command, call: argparse.Namespace) -> int:
    """Print the secret of a new key, once, to standard output; messages go to standard error."""
    try:
        secret = command(call)
    except (KeyFileError, OSError) as error:
        return say(error, REFUSED)
    if secret is not None:
        print(secret)
        sys.stderr.write("This key is shown once: it is not kept, only its hash.\n")
    return DONE


def _found(keys: dict[str, ApiKey], key_id: str) -> ApiKey:
    if key_id not in keys:
        raise KeyFileError(f"there is no key {key_id!r}; plimsoll-service keys list shows those there are")
    return keys[key_id]


def _path(call: argparse.Namespace) -> Path:
    """Path of the file in the command line, otherwise in the settings; raises ``SettingsError``."""
    path: Path | None = call.file or Settings.from_environment().api_keys_path
    if path is None:
        raise SettingsError("name the file of keys by PLIMSOLL_API_KEYS or --file")
    return path


def _after(period: timedelta | None) -> datetime | None:
    return None if period is None else datetime.now(UTC).replace(microsecond=0) + period


def _action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], name: str, command: Command, does: str
) -> argparse.ArgumentParser:
    parser = actions.add_parser(name, help=does)
    parser.add_argument("--file", type=Path, help="the file of keys; default: that of PLIMSOLL_API_KEYS")
    parser.set_defaults(command=partial(_reported, command))
    return parser


def _name(text: str) -> str:
    if not (text.isprintable() and 0 < len(text) <= MOST_NAME):
        raise argparse.ArgumentTypeError(f"a name has 1 to {MOST_NAME} printable characters")
    return text


def _period(text: str) -> timedelta:
    found = _PERIOD.fullmatch(text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no time such as 90d, 24h or 30m")
    return int(found[1]) * _UNITS[found[2]]


def _rate(text: str) -> RateLimit:
    try:
        return RateLimit.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
