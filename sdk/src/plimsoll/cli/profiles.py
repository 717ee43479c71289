"""Services by name, from the file ``~/.config/plimsoll/config.toml``."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import click

from plimsoll.cli.failures import guess, refused

PROFILE_VARIABLE = "PLIMSOLL_PROFILE"
_DEFAULT = "default_profile"
_PROFILES = "profiles"
_OTHERS_READ = 0o077


@dataclass(frozen=True)
class Profile:
    """The address of a service, its API key, and the timeout of a part of an answer in seconds."""

    url: str
    api_key: str | None = None
    timeout: float | None = None


_MEMBERS = {each.name: (int, float) if each.name == "timeout" else (str,) for each in fields(Profile)}


def file() -> Path:
    """Return the path of the file."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "plimsoll" / "config.toml"


def profile_of(name: str | None) -> Profile | None:
    """Return the profile of that name, else the file's default; raises ``click.ClickException``."""
    path = file()
    if not path.is_file():
        if name is not None:
            raise refused(f"profile '{name}': there is no file {path}")
        return None
    document = _read(path)
    chosen = document.get(_DEFAULT) if name is None else name
    if chosen is None:
        return None
    profiles = document.get(_PROFILES, {})
    if not isinstance(profiles, Mapping) or chosen not in profiles:
        known = ", ".join(profiles) or "none"
        raise refused(f"{path}: there is no profile '{chosen}'{guess(chosen, profiles)} (there are: {known})")
    return _profile(path, str(chosen), profiles[chosen])


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise refused(f"{path}: cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise refused(f"{path}: is not TOML: {error}") from error


def _profile(path: Path, name: str, members: Any) -> Profile:
    at = f"{path}: {_PROFILES}.{name}"
    if not isinstance(members, Mapping) or "url" not in members:
        raise refused(f'{at}: url expected, such as url = "https://sizing.example"')
    for member, value in members.items():
        if member not in _MEMBERS:
            raise refused(f"{at}: unknown member '{member}'{guess(member, _MEMBERS)}")
        if not isinstance(value, _MEMBERS[member]) or isinstance(value, bool):
            raise refused(f"{at}.{member}: {'a number' if member == 'timeout' else 'a text'} expected")
    if "api_key" in members and path.stat().st_mode & _OTHERS_READ:
        click.echo(f"plimsoll: other users can read the API key in {path}: chmod 600 {path}", err=True)
    return Profile(**members)
