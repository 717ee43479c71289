"""Held-out errors as columns, with their ranges and the novelty of each case, and their scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from calibration.results import Residual
from plimsoll_service.engine.generations import generation_of
from plimsoll_service.engine.spreads import COMPILED_INFERENCE, INFERENCE, inference_on_matrix_units

# Times whose range is that of the rate: a longer time is a lower rate.
TIMES_OF_RATES = ("seconds", "latency_ms")
KNOWN_MODEL, NEW_MODEL, MODELLED = range(3)
SERVING_METRICS = {
    "output_tokens/s": "tokens_per_second",
    "tokens/s": "tokens_per_second",
    "prefill_tokens/s": "prefill",
    "ttft_ms": "ttft",
    "tpot_ms": "tpot",
}
COMPILED = ("Inferentia", "Trainium", "TPU", "Gaudi")  # generations with a compiler of their own
HOPPER = "Hopper"  # and what is fitted as it
DEVICE_RANGES = {"llm_training": "token_training", "adapter_training": "token_training_adapters"}
MOE, OF_EXPERTS = "moe", "token_training_moe"  # the family, and the range of its training


@dataclass(frozen=True, eq=False)
class Pool:
    """Residuals as columns; ``group`` is the held-out group, ``error`` is ln(predicted ÷ measured).

    ``truth`` is ln(measured ÷ predicted) of the range's own quantity: of the rate, where only its time was measured.
    """

    measurement: NDArray[np.str_]
    source: NDArray[np.str_]
    kind: NDArray[np.str_]
    model: NDArray[np.str_]
    family: NDArray[np.str_]
    device: NDArray[np.str_]
    scheme: NDArray[np.str_]
    group: NDArray[np.str_]
    range_name: NDArray[np.str_]
    novelty: NDArray[np.int32]
    error: NDArray[np.float64]
    truth: NDArray[np.float64]
    laboratory: NDArray[np.intp]  # code of source and scheme
    held_out: NDArray[np.intp]  # code of scheme and held-out group

    def __len__(self) -> int:
        return len(self.truth)

    def take(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> Pool:
        """The given rows, in that order."""
        return Pool(*(getattr(self, column.name)[rows] for column in fields(self)))


def pool_of(residuals: Sequence[Residual]) -> Pool:
    """All residuals with a finite error."""
    kept = [one for one in residuals if np.isfinite(one.log_error)]

    def words(name: str) -> NDArray[np.str_]:
        return np.array([getattr(one, name) for one in kept], dtype=np.str_)

    group = np.array([getattr(one, one.scheme) for one in kept], dtype=np.str_)
    return Pool(
        measurement=words("measurement_id"),
        source=words("source"),
        kind=words("kind"),
        model=words("model"),
        family=words("family"),
        device=words("device"),
        scheme=words("scheme"),
        group=group,
        range_name=np.array([range_of(one) for one in kept], dtype=np.str_),
        novelty=np.array(_novelties(kept), dtype=np.int32),
        error=np.array([one.log_error for one in kept]),
        truth=np.array([one.log_error if one.metric in TIMES_OF_RATES else -one.log_error for one in kept]),
        laboratory=_codes(words("source"), words("scheme")),
        held_out=_codes(words("scheme"), group),
    )


def _codes(*columns: NDArray[np.str_]) -> NDArray[np.intp]:
    """One number for each combination of words."""
    joined = columns[0]
    for column in columns[1:]:
        joined = np.char.add(np.char.add(joined, "|"), column)
    return np.unique(joined, return_inverse=True)[1].astype(np.intp)


def range_of(residual: Residual) -> str:
    """Name of the range of the residual's estimate: by kind of work, hardware and metric."""
    if residual.kind == "llm_serving":
        return SERVING_METRICS[residual.metric]
    if residual.kind == "cpu_llm_serving":
        return f"cpu_{SERVING_METRICS[residual.metric]}"
    if residual.kind in DEVICE_RANGES and residual.family == MOE:
        return OF_EXPERTS
    if residual.kind == "classic_inference":
        return inference_range(residual.generation, residual.tuned, residual.library, residual.family)
    return DEVICE_RANGES.get(residual.kind, residual.kind)


def inference_range(generation: str, tuned: bool, library: str, family: str) -> str:
    """Name of the range of inference on accelerators of that generation."""
    if generation.startswith(COMPILED):
        return COMPILED_INFERENCE
    return inference_on_matrix_units(tuned, library, family) if _matrix_units(generation) else INFERENCE


def _matrix_units(generation: str) -> bool:
    """Whether the generation is one of NVIDIA's with matrix units."""
    known = generation_of(generation)
    return known.matrix_units and (known.before_hopper or HOPPER in (known.fitted_as, generation))


def _novelties(residuals: Sequence[Residual]) -> list[int]:
    """Return the novelty of each residual: whether the fit had its software, its generation, its model or its family.

    Rows of the same model, device and software from another laboratory are no class of their own: their errors are as
    large as those of a new device.
    """
    families = _holders(((one.kind, one.family), one) for one in residuals)
    generations = _holders(((_work(one), one.generation), one) for one in residuals)
    found = []
    for one in residuals:
        left = {getattr(one, one.scheme)}
        near = one.known_device or bool(generations[(_work(one), one.generation), one.scheme] - left)
        family = bool(families[(one.kind, one.family), one.scheme] - left)
        if not (one.known_software and near and (one.known_model or family)):
            found.append(MODELLED)
        else:
            found.append(KNOWN_MODEL if one.known_model else NEW_MODEL)
    return found


def _holders(keyed: Iterable[tuple[tuple[str, str], Residual]]) -> dict[tuple[tuple[str, str], str], set[str]]:
    """Return the devices, models or sources that have rows of a key, by key and scheme."""
    holders: dict[tuple[tuple[str, str], str], set[str]] = defaultdict(set)
    for key, one in keyed:
        holders[key, one.scheme].add(getattr(one, one.scheme))
    return holders


def _work(residual: Residual) -> str:
    """Kinds that share one fit of the device."""
    return "training" if residual.kind in ("cnn_training", "rnn_training", "transformer_training") else residual.kind


FULL_WEIGHT_ROWS = 10.0  # a source with fewer rows counts in proportion


@dataclass(frozen=True)
class Score:
    """|predicted ÷ measured − 1| of some rows."""

    rows: int
    mean_of_sources: float
    median: float
    ninth_decile: float
    bias: float  # median of ln(predicted ÷ measured)


def relative_errors(pool: Pool) -> NDArray[np.float64]:
    """|predicted ÷ measured − 1| of each row."""
    errors: NDArray[np.float64] = np.abs(np.expm1(pool.error))
    return errors


def score(pool: Pool) -> Score:
    """Return the errors of these rows, at least one."""
    errors = relative_errors(pool)
    sources, place, counts = np.unique(pool.source, return_inverse=True, return_counts=True)
    medians = np.array([np.median(errors[place == index]) for index in range(len(sources))])
    weight = np.minimum(1.0, counts / FULL_WEIGHT_ROWS)
    return Score(
        rows=len(pool),
        mean_of_sources=float(np.sum(weight * medians) / np.sum(weight)),
        median=float(np.median(errors)),
        ninth_decile=float(np.quantile(errors, 0.9)),
        bias=float(np.median(pool.error)),
    )
