"""The bundled evidence: measurements, their sources, and predictions with the measurement held out."""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path
from statistics import median

import pytest
from gathered.measurements import figures

from plimsoll_service.engine.workload import OPTIMIZERS, PRECISIONS, RECOMPUTATIONS
from plimsoll_service.evidence import models, published
from plimsoll_service.evidence.measurement import EvidenceError
from plimsoll_service.evidence.published import measurements, version
from plimsoll_service.evidence.statements import frameworks

ROWS = measurements()
# What each gathered table holds; a change of an import must not lose a row.
COUNTS = {
    "aic-silicon": 1992,
    "dle": 2080,
    "glample": 36,
    "jcjohnson": 178,
    "lambda": 3981,
    "litgpt": 106,
    "llamacpp-xdai": 176,
    "llm-foundry": 190,
    "megatron-bridge": 142,
    "minimaxir": 46,
    "mlperf-inf-v4.1": 786,
    "mlperf-train-v4.0": 42,
    "mxnet-perf": 226,
    "neuron": 290,
    "soumith": 96,
    "tf-benchmarks": 160,
    "torchtitan": 52,
    "torchtune": 20,
    "trtllm": 363,
    "u39kun": 48,
}
DATE = re.compile(r"(20[12]\d(-(0[1-9]|1[0-2])(-[0-3]\d)?)?)?")


def test_no_row_is_lost() -> None:
    """The figures of every source are complete."""
    counted = Counter(row.source for row in ROWS)

    assert {source: counted[source] for source in COUNTS} == COUNTS


def test_identities_are_distinct() -> None:
    """Each row has its own id."""
    assert len({row.id for row in ROWS}) == len(ROWS)


def test_every_row_has_a_source() -> None:
    """Every row has a source with title, address and licence, and every source has a row."""
    assert {row.source for row in ROWS} == set(published.sources())
    for source in published.sources().values():
        assert source.title
        assert source.url.startswith("https://")
        assert source.licence


def test_values_are_above_zero() -> None:
    """Values are above zero, except for runs out of memory."""
    assert {row.id for row in ROWS if row.value <= 0} == {row.id for row in ROWS if row.metric == "fits"}
    assert all(row.device_count >= row.node_count >= 1 for row in ROWS)


def test_words_are_those_of_the_contract() -> None:
    """Precision, optimizer and recomputation are a workload's words; dates are in ISO format."""
    assert {row.precision for row in ROWS} <= set(PRECISIONS)
    assert {row.optimizer for row in ROWS} <= {None, *OPTIMIZERS}
    assert {row.activation_recomputation for row in ROWS} <= {None, *RECOMPUTATIONS}
    assert [row.id for row in ROWS if not DATE.fullmatch(row.date)] == []


def test_models_are_those_of_the_registry() -> None:
    """Models have the registry's names; any other is doubted."""
    unknown = {row.model for row in ROWS if not row.doubt and models.find(row.model) is None}
    renamed = {row.model for row in ROWS if (found := models.find(row.model)) and found.name != row.model}

    assert unknown == set()
    assert renamed == set()


def test_frameworks_are_those_of_the_engine() -> None:
    """Frameworks have the engine's names."""
    assert {row.framework for row in ROWS if frameworks().of(row.framework).name
            != row.framework} == set()  # fmt: skip


def test_the_own_gathered_tables_are_in_it() -> None:
    """The files in `figures` and the built table are equal."""
    own = figures.own_measurements()

    assert {row.id: row for row in own} == {row.id: row for row in ROWS if row.source in {one.source for one in own}}


def test_the_version_is_of_the_files() -> None:
    """The version is the same on every call."""
    assert version() == version()
    assert len(version()) == 12


def test_every_doubt_leaves_rows_to_fit() -> None:
    """None of the imported sources is doubted as a whole."""
    usable = Counter(row.source for row in ROWS if not row.doubt)

    assert {source for source in COUNTS if not usable[source]} == set()


GITHUB = "https://github.com/"
ROOT = Path(__file__).resolve().parents[3]


def test_every_source_is_attributed() -> None:
    """NOTICE names every source by its repository, or else by its title."""
    notice = " ".join((ROOT / "NOTICE").read_text(encoding="utf-8").split())
    names = {
        source.key: "/".join(source.url.removeprefix(GITHUB).split("/")[:2])
        if source.url.startswith(GITHUB)
        else source.title
        for source in published.sources().values()
    }

    assert {key: name for key, name in names.items() if name not in notice} == {}


FAR = math.log(3)  # the calibration report's median errors are all below a factor of two


def test_each_prediction_is_of_a_measurement() -> None:
    """Every prediction belongs to a row of the table with a value above zero."""
    measured = {row.id for row in published.measurements() if row.value > 0}

    assert published.predictions().keys() - measured == set()


@pytest.mark.parametrize("scheme", published.SCHEMES)
def test_predictions_are_in_the_unit_of_the_measurement(scheme: str) -> None:
    """Half of the predictions lie near the measured value, which no other unit would give."""
    errors: dict[str, list[float]] = {}
    for row in published.measurements():
        predicted = getattr(published.predictions().get(row.id, published.NONE), scheme)
        if predicted is not None:
            errors.setdefault(row.metric, []).append(abs(math.log(predicted / row.value)))

    assert {"samples/s", "tokens/s", "ttft_ms", "tpot_ms", "seconds", "peak_memory_gib"} <= errors.keys()
    assert {metric for metric, found in errors.items() if median(found) > FAR} == set()


@pytest.mark.parametrize("lines", [["name,device"], ["id,device,model,source", "a-1,much,1,1"]])
def test_a_broken_file_is_refused(lines: list[str]) -> None:
    """A broken file is refused with its name."""
    with pytest.raises(EvidenceError, match=r"held_out\.csv"):
        published.read_predictions(lines)
