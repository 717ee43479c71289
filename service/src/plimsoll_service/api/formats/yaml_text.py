"""YAML and comments for launchers: block style, in the given order, under a head that describes the launch."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import yaml

from ...engine.answer import Answer, Recommendation
from ...engine.hardware import Catalog
from ..encode import encode
from .commands import OWN_IMAGE, own_script
from .format import Consumer, Format, Pick
from .launch import Launch

_UNTIL = 3  # recommendations that the head names as passed over, at most


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """Writes text of several lines as a block; in C where PyYAML was built with it, which takes a tenth of the time."""


def _text(dumper: Any, value: str) -> Any:
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)


_Dumper.add_representer(str, _text)
_Dumper.ignore_aliases = lambda *_: True


def yaml_text(document: dict[str, Any]) -> str:
    """The document as YAML."""
    return yaml.dump(
        document, Dumper=_Dumper, sort_keys=False, default_flow_style=False, allow_unicode=True, width=10_000
    )


def yaml_format(
    name: str,
    consumer: Consumer,
    written: Callable[[Launch], dict[str, Any] | tuple[dict[str, Any], ...]],
    notes: Callable[[Launch], Iterable[str]],
) -> Format[Answer]:
    """The format of a tool that reads YAML: one or several documents, under a head with the notes."""

    def render(answer: Answer, catalog: Catalog) -> str:
        pick = consumer.pick(answer, catalog)
        if pick.launch is None:
            return nothing(answer, pick)
        found = written(pick.launch)
        documents = "---\n".join(map(yaml_text, found if isinstance(found, tuple) else (found,)))
        return comments(head(pick, notes(pick.launch))) + documents

    return Format(name, _media_type(name, "yaml"), render, consumer)


def requests_format(
    name: str,
    consumer: Consumer,
    requests: Callable[[Launch, tuple[str, ...]], dict[str, Any]],
    notes: Callable[[Launch], Iterable[str]] = lambda _: (),
) -> Format[Answer]:
    """The format of a cloud's requests, in JSON; ``requests`` are told the head, which JSON has no comments for."""

    def render(answer: Answer, catalog: Catalog) -> bytes:
        pick = consumer.pick(answer, catalog)
        told = head(pick, notes(pick.launch) if pick.launch else ())
        return encode(requests(pick.launch, told) if pick.launch else {})

    return Format(name, _media_type(name, "json"), render, consumer)


def _media_type(name: str, syntax: str) -> str:
    return f"application/vnd.plimsoll.{name.replace('_', '-')}+{syntax}"


def comments(lines: Iterable[str]) -> str:
    """Lines as comments of YAML and of shells."""
    return "".join(f"# {' '.join(line.split())}\n" for line in lines)


def head(pick: Pick, notes: Iterable[str] = ()) -> tuple[str, ...]:
    """Comment at the head of a document: the launch, its price and objective, and the recommendations passed over."""
    if pick.launch is None:
        return _passed(pick)
    launch = pick.launch
    kind = "service" if launch.service else "job"
    cost = f"{launch.usd_per_hour:.6g} USD per hour, all machines together"
    ranked = f"rank {launch.one.rank} by {launch.objective}"
    return (f"{kind}: {_named(launch.one)}; {ranked}; {cost}", *_passed(pick), *notes)


def nothing(answer: Answer, pick: Pick | None = None) -> str:
    """An empty document with the reason as a comment: a launcher fails on it and starts nothing."""
    rejected = ", ".join(f"{name} {count}" for name, count in answer.rejected.items())
    if pick is not None and pick.passed:
        return comments(("none of the recommendations can be launched", *_passed(pick))) + "{}\n"
    return f"# no machine meets the constraints; rejected: {rejected or 'none'}\n{{}}\n"


def of_the_user(launch: Launch, image: str | None = None) -> Iterable[str]:
    """Values that the user has to fill in; ``image`` is the container that the document names."""
    if launch.task == "inference":
        yield "MODEL is the path or the name of the weights, as the engine takes it"
    if "speculative_decoding" in launch.workload:
        yield "DRAFT_MODEL is that of the weights that draft tokens"
    if launch.runs > 1:
        yield f"{launch.runs} runs side by side, on {launch.one.node_count} machines"
    if own_script(launch):
        yield f"the script in the command stands for your own ({own_script(launch)})"
    if image == OWN_IMAGE:
        yield f"{OWN_IMAGE} stands for an image of your own"


def _passed(pick: Pick) -> tuple[str, ...]:
    named = [f"passed over: rank {one.rank}, {_named(one)}: {reason}" for one, reason in pick.passed[:_UNTIL]]
    more = len(pick.passed) - _UNTIL
    return (*named, f"passed over: {more} more") if more > 0 else tuple(named)


def _named(one: Recommendation) -> str:
    devices = f" ({one.accelerator.count:g} {one.accelerator.name} each)" if one.accelerator else ""
    bought = "spot" if one.purchase == "spot" else "on demand"
    return f"{one.node_count} x {one.label or one.instance_type}{devices}, {one.cloud} {one.region}, {bought}"
