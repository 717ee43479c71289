"""Results of other tools as measurements; a tool is one module, or one client of ``serving``, in ``READERS``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from plimsoll.errors import UnreadableFile
from plimsoll.measurements import measurements_of
from plimsoll.readers import genai_perf, lightning, llama_bench, nvidia_smi, tensorrt_llm, trainer
from plimsoll.readers.reading import HARDWARE, Content, Reading, content_of
from plimsoll.readers.serving import SGLANG, VLLM

__all__ = ["READERS", "Reading", "read_measurement"]


class Reader(Protocol):
    """A tool's module, or one of the clients of ``serving``."""

    TOOL: str

    def recognises(self, content: Content) -> bool:
        """Whether the content is the tool's."""

    def read(self, content: Content) -> Reading:
        """Return its measurements."""


# The first that recognises a file reads it.
READERS: tuple[Reader, ...] = (SGLANG, VLLM, tensorrt_llm, genai_perf, llama_bench, trainer, nvidia_smi, lightning)


def read_measurement(
    path: str | Path, on: Mapping[str, Any] | None = None, *, tokens_per_sample: float | None = None, **said: Any
) -> Reading:
    """Return the measurements of a tool's result, recognised by its content.

    ``on`` is the machine, in place of what the file says of it. ``tokens_per_sample`` turns samples a second into
    tokens a second. ``said`` are more fields of the measurements, such as ``precision``. Raises ``UnreadableFile``.
    """
    content = content_of(Path(path))
    reader = next((one for one in READERS if one.recognises(content)), None)
    try:
        found = _saved(content, str(path)) if reader is None else reader.read(content)
    except UnreadableFile as error:
        raise UnreadableFile(f"{path}: {str(error).removeprefix(f'{path}: ')}") from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        tool = reader.TOOL if reader else "plimsoll"
        raise UnreadableFile(f"{path}: looks like {tool}, but is of a form that is not known: {error!r}") from error
    return _completed(found, on, tokens_per_sample, said)


def _saved(content: Content, place: str) -> Reading:
    try:
        found = measurements_of(list(content.records), place)
    except UnreadableFile as error:
        tools = ", ".join(one.TOOL for one in READERS)
        raise UnreadableFile(f"no known tool wrote this; known are {tools}, plimsoll.measure") from error
    first = content.first
    said = {name: value for name, value in first.items() if name not in ("measurement", "measurements", "unseen")}
    return Reading("plimsoll.measure", found, list(first.get("unseen", ())), said if "tool" in first else {})


def _completed(found: Reading, on: Mapping[str, Any] | None, tokens: float | None, said: Mapping[str, Any]) -> Reading:
    machine = {} if on is None else {"on": dict(on)}
    measurements = [{**machine, **one, **machine, **said} for one in found.measurements]
    unseen = [one for one in found.unseen if on is None or not one.startswith(("the hardware", "the cloud"))]
    unseen = [one for one in unseen if not (one == "the precision" and "precision" in said)]
    if tokens is not None:
        measurements = [_in_tokens(one, tokens) for one in measurements]
        unseen = [one for one in unseen if not one.startswith("the tokens of a sample")]
    if on is None and any("on" not in one for one in measurements) and HARDWARE not in unseen:
        unseen.insert(0, HARDWARE)
    return replace(found, measurements=measurements, unseen=unseen)


def _in_tokens(one: dict[str, Any], tokens: float) -> dict[str, Any]:
    return one | ({"throughput": one["throughput"] * tokens} if "throughput" in one else {})
