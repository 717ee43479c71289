"""The known models: one row of a file each, by published dimensions or counted figures, and names that stand for them.

Columns beyond the dimensions: ``like`` names a row before whose figures this one has; ``plan`` sets further fields of
``Transformer`` (``field=value`` with ``|`` between them, those of its parts after ``moe.`` and ``latent.``); ``length``
is the tokens of an encoder's sample; ``beams`` are those of the search in the published generation settings;
``quantization`` and ``precision`` are those of the published weights.

The columns of networks are fields of ``ModelProfile``, those of its parts as ``part.field``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from functools import lru_cache, partial
from importlib import resources
from typing import Any

from ..engine.models import ModelTable, Names, Unsized
from ..engine.models.config import ConfigType
from ..engine.models.profile import (
    Generation,
    LatentAttention,
    MixtureOfExperts,
    ModelProfile,
    Reference,
    Transformer,
    TreeEnsemble,
)
from ..engine.models.stored import Stored
from ..engine.models.transformers import encoder_decoder_model, encoder_model, language_model, parameters_of
from .measurement import EvidenceError, cells_of, readers_of, rows_of

FOLDER = "known_models"
FILES = ("encoders", "decoders", "recent_decoders", "embedders", "translation", "multimodal")  # of text models
# Networks as `make networks` counts them, and by figures that somebody else counted.
NETWORK_FILES = ("networks", "counted")
UNSIZED_FILE = "unsized"  # names that are refused, with what is known instead
IMAGES_FILE = "images"  # how language models read images that may come with their prompt
# The groups of models in their order: the first complete a described model of their family.
ARCHETYPES = (
    "classifiers", "vision_transformers", "detectors", "segmenters", "denoisers", "synthesis", "speech", "recognisers",
    "recurrent", "small", "recommenders", "learners", "encoders", "text", "decoders", "video", "video_transformers",
)  # fmt: skip
OTHERS = (
    "later_segmenters", "embedders", "translation", "later_vision", "later_speech", "readers", "generators",
    "recent_decoders", "multimodal",
)  # fmt: skip
SIZES = ("layers", "hidden_size", "heads", "kv_heads", "head_size", "feed_forward")
COLUMNS = {
    *SIZES, "name", "aliases", "like", "kind", "parameters", "vocabulary", "context_length", "plan", "length",
    "architecture", "dataset", "quantization", "precision", "frozen_parameters",
    "tower_parameters", "image_patches", "image_token_side", "most_image_tokens", "written_s", "beams", "remark",
    "source",
}  # fmt: skip
# Columns that no row has from the one that it is ``like``, with the values of empty cells.
OWN: dict[str, Any] = {
    "frozen_parameters": 0.0, "tower_parameters": None, "image_patches": 0.0, "image_token_side": 0,
    "most_image_tokens": 0, "written_s": 0.0, "beams": 1,
}  # fmt: skip
PARTS: dict[str, type[MixtureOfExperts | LatentAttention]] = {"moe": MixtureOfExperts, "latent": LatentAttention}
# Fields of ``Transformer`` that the column ``plan`` may set.
PLAN = {field.name for field in fields(Transformer)} - {*SIZES, *PARTS, "vocabulary", "context_length"}
NETWORK_PARTS: dict[str, type] = {
    "reference": Reference, "transformer": Transformer, "tree": TreeEnsemble, "generation": Generation,
}  # fmt: skip


# Of each field of a profile and its parts, by the name of the part.
READERS = {part: readers_of(kind) for part, kind in {"": ModelProfile, **NETWORK_PARTS}.items()}


@lru_cache(maxsize=1)
def load() -> ModelTable:
    """Return the bundled table; raises ``EvidenceError`` for a faulty row."""
    known: dict[str, ModelProfile] = {}
    eyes = {row["model"]: row for row in rows_of(resources.files(__package__) / FOLDER / f"{IMAGES_FILE}.csv")}
    groups: dict[str, list[ModelProfile]] = {group: [] for group in (*ARCHETYPES, *OTHERS)}
    for file in FILES:
        for _, model in _models(file, partial(model_of, known=known)):
            known[model.name] = model
            groups[file].append(_with_eyes(model, eyes.pop(model.name, None)))
    if eyes:
        raise EvidenceError(f"{IMAGES_FILE}.csv: unknown models: {', '.join(eyes)}")
    for file in NETWORK_FILES:
        for row, network in _models(file, network_of):
            groups[row["group"]].append(network)
    archetypes, others = (tuple(model for name in names for model in groups[name]) for names in (ARCHETYPES, OTHERS))
    types = rows_of(resources.files(__package__) / "config_types.csv")
    return ModelTable(
        archetypes, others, _names(), {row["name"]: ConfigType(**cells_of(ConfigType, row)) for row in types}
    )


def find(name: str, framework: str | None = None) -> ModelProfile | None:
    """The bundled model of that name in any usual spelling, or ``None``."""
    return load().find(name, framework)


def _models(
    file: str, model: Callable[[Mapping[str, str]], ModelProfile]
) -> Iterator[tuple[Mapping[str, str], ModelProfile]]:
    """Yield each row of a file and its model."""
    for line, row in enumerate(rows_of(resources.files(__package__) / FOLDER / f"{file}.csv"), start=2):
        try:
            yield row, model(row)
        except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
            raise EvidenceError(f"{file}.csv, line {line}: {error!r}") from error


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
        **OWN | {name: READERS[""][name](cells[name]) for name in OWN.keys() & cells.keys()},
    )


def _with_eyes(model: ModelProfile, row: Mapping[str, str] | None) -> ModelProfile:
    """A language model that also reads images: its tower, held beside it unless it already is, sees them alone."""
    if row is None:
        return model
    return replace(
        model,
        source=f"{model.source}; images: {row['source']}",
        frozen_parameters=model.frozen_parameters or float(row["held_parameters"]),
        tower_parameters=float(row["tower_parameters"]),
        patches_if_stated=float(row["image_patches"]),
        image_token_side=int(row["image_token_side"] or 0),
        most_image_tokens=int(row["most_image_tokens"] or 0),
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
    other: dict[str, Any] = {name: readers_of(Transformer)[name](cell) for name, cell in plan.items() if name in PLAN}
    for part, form in PARTS.items():
        named = {name.removeprefix(f"{part}."): cell for name, cell in plan.items() if name.startswith(f"{part}.")}
        if named:
            other[part] = form(**cells_of(form, named))
    unknown = {name for name in plan if name.partition(".")[0] not in PLAN | PARTS.keys()}
    if unknown:
        raise ValueError(f"unknown parts of the plan: {', '.join(sorted(unknown))}")
    sizes: dict[str, Any] = {name: int(cells[name]) for name in (*SIZES, "vocabulary", "context_length")}
    return Transformer(**sizes, **{"gated": True, "tied_embeddings": False, "causal": True, **other})


def network_of(row: Mapping[str, str]) -> ModelProfile:
    """The network of a row of figures; raises ``KeyError``, ``TypeError`` or ``ValueError`` for a faulty cell."""
    parts: dict[str, dict[str, Any]] = {part: {} for part in READERS}
    for column, cell in row.items():
        part, _, name = column.rpartition(".")
        if cell and column != "group":
            parts[part][name] = READERS[part][name](cell)
    own = parts.pop("")
    return ModelProfile(**own, **{part: NETWORK_PARTS[part](**figures) for part, figures in parts.items() if figures})


def _names() -> Names:
    """Names of several variants, of tuned models, and of releases with another context."""
    rows = rows_of(resources.files(__package__) / FOLDER / "names.csv")
    words: dict[str, dict[str, str]] = {}
    for row in rows_of(resources.files(__package__) / FOLDER / "words.csv"):
        words.setdefault(row["tells"], {})[row["word"]] = row["model"]
    of_kind = {kind: [row for row in rows if row["kind"] == kind] for kind in ("usual", "tuned", "release", "written")}
    return Names(
        usual={row["name"]: row["model"] for row in of_kind["usual"]},
        tuned={row["name"]: row["model"] for row in of_kind["tuned"]},
        contexts={row["name"]: int(row["context_length"]) for row in of_kind["release"]},
        words_for=words,
        written={row["name"]: row["model"] for row in of_kind["written"]},
        unsized=tuple(
            Unsized(tuple(row["names"].split("|")), row["why"], row["instead"])
            for row in rows_of(resources.files(__package__) / FOLDER / f"{UNSIZED_FILE}.csv")
        ),
    )
