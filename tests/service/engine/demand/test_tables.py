"""Embedding tables that software trains one by one."""

from __future__ import annotations

import pytest
from tests.service.fitted import job_of

from plimsoll_service.engine.demand.job import profile_of
from plimsoll_service.engine.demand.software import separate_tables, table_kernels
from plimsoll_service.engine.workload import Query, Workload

FIELDS = 26


@pytest.mark.parametrize(
    ("framework", "tuning", "task", "tables"),
    [("tensorflow", "stock", "training", 2 * FIELDS), ("keras", "stock", "training", 2 * FIELDS),
     ("pytorch", "stock", "training", 2 * FIELDS), ("tensorflow", "tuned", "training", 0),
     ("torchrec", "stock", "training", 0), ("tensorflow", "stock", "inference", 0)],
)  # fmt: skip
def test_stock_scripts_train_each_table_by_itself(framework: str, tuning: str, task: str, tables: int) -> None:
    """DeepFM has two tables for each of its 26 fields, which TorchRec and tuned scripts fuse."""
    job = job_of(Query(Workload(task=task, model="deepfm", framework=framework, tuning=tuning)))
    assert tables == separate_tables(job, profile_of(job))


@pytest.mark.parametrize(
    ("optimizer", "precision", "expected"),
    [("sgd", "fp32", (7, 0)), (None, "fp32", (29, 0)), ("adagrad", "fp32", (36, 0)), ("sgd", "mixed", (7, 7))],
)
def test_kernels_of_a_table_follow_from_optimizer_and_casts(
    optimizer: str | None, precision: str, expected: tuple[int, int]
) -> None:
    """Adam, which DeepFM is trained with, starts four times as many as SGD; half precision adds seven."""
    asked = Workload(task="training", model="deepfm", framework="keras", optimizer=optimizer, precision=precision)
    job = job_of(Query(asked))
    actual = tuple(figure / (2 * FIELDS) for figure in table_kernels(job, profile_of(job)))
    assert expected == actual
