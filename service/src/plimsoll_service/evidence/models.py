"""The known models: one row of a file each, by its published dimensions, and the names that stand for one of them.

Columns beyond the dimensions: ``like`` names a row before whose figures this one has; ``plan`` sets further fields of
``Transformer`` (``field=value`` with ``|`` between them, those of its parts after ``moe.`` and ``latent.``); ``length``
is the tokens of an encoder's sample; ``quantization`` and ``precision`` are those of the published weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from fractions import Fraction
from functools import lru_cache
from importlib import resources
from typing import Any

from plimsoll_service.engine.models import COUNTED, ModelTable, Names, table_of
from plimsoll_service.engine.models.profile import (
    LatentAttention,
    MixtureOfExperts,
    ModelProfile,
    Reference,
    Transformer,
)
from plimsoll_service.engine.models.stored import Stored
from plimsoll_service.engine.models.transformers import (
    dimensions,
    encoder_decoder_model,
    encoder_model,
    language_model,
    parameters_of,
)
from plimsoll_service.evidence.measurement import EvidenceError, rows_of

FOLDER = "known_models"
COUNTED_FILE = "counted.csv"  # networks by figures that somebody counted; its columns are fields of ``ModelProfile``
FILES = ("encoders", "decoders", "recent_decoders", "embedders", "translation", "multimodal")
SIZES = ("layers", "hidden_size", "heads", "kv_heads", "head_size", "feed_forward")
COLUMNS = {
    *SIZES, "name", "aliases", "like", "kind", "parameters", "vocabulary", "context_length", "plan", "length",
    "architecture", "dataset", "quantization", "precision", "frozen_parameters", "image_patches", "remark", "source",
}  # fmt: skip
PARTS: dict[str, type[MixtureOfExperts | LatentAttention]] = {"moe": MixtureOfExperts, "latent": LatentAttention}
# Fields of ``Transformer`` that the column ``plan`` may set.
PLAN = {field.name for field in fields(Transformer)} - {*SIZES, *PARTS, "vocabulary", "context_length"}
COUNTS = ("script_batch", "sequence_length")  # whole numbers among the figures of networks
SHARES = ("sliding_share", "attention_share", "linear_layer_parameters")  # the plan's other numbers are whole
WORDS = {"true": True, "false": False}


@lru_cache(maxsize=1)
def load() -> ModelTable:
    """Return the bundled table; raises ``EvidenceError`` for a faulty row."""
    known: dict[str, ModelProfile] = {}
    files = {name: tuple(_models(f"{name}.csv", known)) for name in FILES}
    counted = rows_of(resources.files(__package__) / FOLDER / COUNTED_FILE)
    groups = {group: tuple(counted_of(row) for row in counted if row["group"] == group) for group in COUNTED}
    return table_of(names=_names(), **files, **groups)


def find(name: str, framework: str | None = None) -> ModelProfile | None:
    """The bundled model of that name in any usual spelling, or ``None``."""
    return load().find(name, framework)


def _models(file: str, known: dict[str, ModelProfile]) -> Iterable[ModelProfile]:
    for line, row in enumerate(rows_of(resources.files(__package__) / FOLDER / file), start=2):
        try:
            model = model_of(row, known)
        except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
            raise EvidenceError(f"{file}, line {line}: {error!r}") from error
        known[model.name] = model
        yield model


def model_of(row: Mapping[str, str], known: Mapping[str, ModelProfile]) -> ModelProfile:
    """The model of one row; ``known`` are those of the rows before, one of which it may be ``like``.

    Empty cells: parameters are those of the dimensions, and nothing is held beside them. Raises ``KeyError``,
    ``TypeError`` or ``ValueError`` for a faulty cell.
    """
    if not row.keys() <= COLUMNS:
        raise ValueError(f"unknown columns: {', '.join(sorted(row.keys() - COLUMNS))}")
    cells = {name: cell for name, cell in row.items() if cell}
    aliases = tuple(cells["aliases"].split("|")) if "aliases" in cells else ()
    model = _like(cells, known[cells["like"]]) if "like" in cells else _by_dimensions(cells)
    return replace(
        model,
        name=cells["name"],
        aliases=aliases,
        source=cells["source"],
        frozen_parameters=float(cells.get("frozen_parameters", 0.0)),
        image_patches=int(cells.get("image_patches", 0)),
    )


def _like(cells: Mapping[str, str], like: ModelProfile) -> ModelProfile:
    """A known model with another context, if the row has one."""
    if like.transformer is None or "context_length" not in cells:
        return like
    return replace(like, transformer=replace(like.transformer, context_length=int(cells["context_length"])))


def _by_dimensions(cells: Mapping[str, str]) -> ModelProfile:
    name, source, transformer = cells["name"], cells["source"], _transformer(cells)
    parameters = float(cells["parameters"]) if "parameters" in cells else parameters_of(transformer)
    if cells["kind"] == "decoder":
        stored = Stored(cells.get("quantization", ""), cells["precision"]) if "precision" in cells else None
        plan = cells.get("architecture", "llama")
        return language_model(name, parameters, transformer, source, architecture=plan, published=stored)
    length = int(cells["length"])
    if cells["kind"] == "encoder":
        dataset = cells.get("dataset", "squad")
        return encoder_model(name, parameters, transformer, source, length, dataset=dataset)
    if cells["kind"] == "encoder_decoder":
        return encoder_decoder_model(name, parameters, transformer, source, length, dataset=cells["dataset"])
    raise ValueError(f"no kind {cells['kind']}")


def _transformer(cells: Mapping[str, str]) -> Transformer:
    plan = dict(pair.split("=") for pair in cells["plan"].split("|")) if "plan" in cells else {}
    other: dict[str, Any] = {name: _number(name, cell) for name, cell in plan.items() if name in PLAN}
    for part, form in PARTS.items():
        figures = {name.removeprefix(f"{part}."): int(plan[name]) for name in plan if name.startswith(f"{part}.")}
        if figures:
            other[part] = form(**figures)
    unknown = {name for name in plan if name.partition(".")[0] not in PLAN | PARTS.keys()}
    if unknown:
        raise ValueError(f"unknown parts of the plan: {', '.join(sorted(unknown))}")
    layers, hidden, heads, kv_heads, head_size, feed_forward = (int(cells[name]) for name in SIZES)
    sizes = layers, hidden, heads, kv_heads, head_size, feed_forward
    words, context, tied = int(cells["vocabulary"]), int(cells["context_length"]), other.pop("tied_embeddings", False)
    return dimensions(sizes, words, context, tied=tied, **other)


def counted_of(row: Mapping[str, str]) -> ModelProfile:
    """The network of a row of figures; raises ``TypeError`` or ``ValueError`` for a faulty cell."""
    cells: dict[str, Any] = {name: _figure(name, cell) for name, cell in row.items() if cell and name != "group"}
    aliases = tuple(cells.pop("aliases", "").split("|"))
    sides, length = cells.pop("image_size", None), cells.pop("sequence_length", None)
    image_size = tuple(int(side) for side in sides.split("x")) if sides else None
    reference = Reference(image_size=image_size, sequence_length=length)
    return ModelProfile(**cells, aliases=aliases if aliases != ("",) else (), reference=reference)


def _figure(name: str, cell: str) -> str | bool | float:
    try:
        return int(cell) if name in COUNTS else WORDS[cell] if cell in WORDS else float(Fraction(cell))
    except ValueError:
        return cell


def _number(name: str, cell: str) -> bool | int | float:
    return WORDS[cell] if cell in WORDS else float(Fraction(cell)) if name in SHARES else int(cell)


def _names() -> Names:
    """Names of several variants, of tuned models, and of releases with another context."""
    rows = rows_of(resources.files(__package__) / FOLDER / "names.csv")
    of_kind = {kind: [row for row in rows if row["kind"] == kind] for kind in ("usual", "tuned", "release")}
    return Names(
        usual={row["name"]: row["model"] for row in of_kind["usual"]},
        tuned={row["name"]: row["model"] for row in of_kind["tuned"]},
        contexts={row["name"]: int(row["context_length"]) for row in of_kind["release"]},
    )
