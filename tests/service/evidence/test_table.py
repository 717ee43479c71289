"""The bundled table as data: whole, sound, and every row with its source."""

from __future__ import annotations

import re
from collections import Counter

from plimsoll_service.engine import frameworks, models
from plimsoll_service.engine.workload import OPTIMIZERS, PRECISIONS, RECOMPUTATIONS
from plimsoll_service.evidence import sources
from plimsoll_service.evidence.imports import gathered
from plimsoll_service.evidence.table import load, version

ROWS = load()
# What each gathered table holds; a change of an import must not lose a row.
COUNTS = {
    "aic-silicon": 1806,
    "dle": 1301,
    "glample": 36,
    "jcjohnson": 146,
    "lambda": 3108,
    "litgpt": 92,
    "llamacpp-xdai": 162,
    "llm-foundry": 154,
    "megatron-bridge": 87,
    "minimaxir": 35,
    "mlperf-inf-v4.1": 632,
    "mxnet-perf": 199,
    "neuron": 136,
    "soumith": 96,
    "torchtitan": 40,
    "torchtune": 20,
    "trtllm": 280,
}
DATE = re.compile(r"(20[12]\d(-(0[1-9]|1[0-2])(-[0-3]\d)?)?)?")


def test_no_row_is_lost() -> None:
    """The figures of every source are all there."""
    counted = Counter(row.source for row in ROWS)

    assert {source: counted[source] for source in COUNTS} == COUNTS


def test_identities_are_distinct() -> None:
    """Each row can be named."""
    assert len({row.id for row in ROWS}) == len(ROWS)


def test_every_row_has_a_source() -> None:
    """With its title, address and licence; and no source is without a row."""
    assert {row.source for row in ROWS} == set(sources.load())
    for source in sources.load().values():
        assert source.title
        assert source.url.startswith("https://")
        assert source.licence


def test_values_are_above_zero() -> None:
    """But for what ran out of memory."""
    assert {row.id for row in ROWS if row.value <= 0} == {row.id for row in ROWS if row.metric == "fits"}
    assert all(row.device_count >= row.node_count >= 1 for row in ROWS)


def test_words_are_those_of_the_contract() -> None:
    """Precision, optimizer and recomputation as a workload takes them; dates as ISO writes them."""
    assert {row.precision for row in ROWS} <= set(PRECISIONS)
    assert {row.optimizer for row in ROWS} <= {None, *OPTIMIZERS}
    assert {row.activation_recomputation for row in ROWS} <= {None, *RECOMPUTATIONS}
    assert [row.id for row in ROWS if not DATE.fullmatch(row.date)] == []


def test_models_are_those_of_the_registry() -> None:
    """Under their own names; any other is doubted."""
    unknown = {row.model for row in ROWS if not row.doubt and models.find(row.model) is None}
    renamed = {row.model for row in ROWS if (found := models.find(row.model)) and found.name != row.model}

    assert unknown == set()
    assert renamed == set()


def test_frameworks_are_those_of_the_engine() -> None:
    """Under their own names."""
    assert {row.framework for row in ROWS if (frameworks.find(row.framework) or frameworks.FRAMEWORKS[0]).name
            != row.framework} == set()  # fmt: skip


def test_the_own_gathered_tables_are_in_it() -> None:
    """The files in `figures` and the built table say the same."""
    own = gathered.measurements()

    assert {row.id: row for row in own} == {row.id: row for row in ROWS if row.source in {one.source for one in own}}


def test_the_version_is_of_the_files() -> None:
    """The same on every call."""
    assert version() == version()
    assert len(version()) == 12


def test_every_doubt_leaves_rows_to_fit() -> None:
    """Of the seventeen imported sources none is doubted as a whole."""
    usable = Counter(row.source for row in ROWS if not row.doubt)

    assert {source for source in COUNTS if not usable[source]} == set()
