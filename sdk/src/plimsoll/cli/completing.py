"""Completion of words, and of the names that the service knows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

import click
from click.shell_completion import CompletionItem

from plimsoll import Client
from plimsoll.cli.asking import client_of, service_of

Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]

# Nobody waits longer for a shell.
_SECONDS = 2.0
_MOST = 200

# The names of each kind of thing, of those that may begin like a text.
_NAMES: dict[str, Callable[[Client, str], Iterable[str]]] = {
    "models": lambda client, _: (each.name for each in client.models()),
    "frameworks": lambda client, _: (each.name for each in client.frameworks()),
    "accelerators": lambda client, _: (each.name for each in client.accelerators()),
    "regions": lambda client, _: (each.name for each in client.regions()),
    "clouds": lambda client, _: (each.cloud for each in client.regions()),
    "instance_types": lambda client, begun: (each.instance_type for each in _types(client, begun)),
}


def completing(words: Sequence[str], known: str = "") -> Complete:
    """Return a completion from these words or known names, for single values and for comma-separated lists.

    Other words are accepted too: the service checks them, with every other fault of the question.
    """

    def complete(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
        done, comma, begun = incomplete.rpartition(",")
        found = _asked(context, lambda client: _NAMES[known](client, begun)) if known else words
        return [CompletionItem(f"{done}{comma}{word}") for word in found if word.startswith(begun)]

    return complete


def complete_machine(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete CLOUD/INSTANCE_TYPE."""
    cloud, slash, begun = incomplete.partition("/")
    if "=" in incomplete or "," in incomplete:
        return []
    if not slash:
        found = _asked(context, lambda client: (f"{each.cloud}/" for each in client.regions()))
    else:
        found = _asked(
            context, lambda client: (f"{cloud}/{each.instance_type}" for each in _types(client, begun, cloud))
        )
    return [CompletionItem(name) for name in found if name.startswith(incomplete)]


def _types(client: Client, begun: str, *clouds: str) -> Iterable[Any]:
    return islice(client.instance_types(q=begun or None, cloud=clouds or None, limit=_MOST), _MOST)


def _asked(context: click.Context, names: Callable[[Client], Iterable[str]]) -> list[str]:
    """Return the names without repetition, or nothing where the service does not answer at once."""
    try:
        with client_of(service_of(dict(context.params))) as client:
            return list(dict.fromkeys(names(client.with_options(timeout=_SECONDS, max_retries=0))))
    except Exception:  # neither a fault nor a missing service may break the line that is typed
        return []
