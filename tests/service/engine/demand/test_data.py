"""How much data a job has where only part of it was said."""

from __future__ import annotations

import pytest
from tests.service.fitted import job_of

from plimsoll_service.engine.workload import Dataset, Query, Workload

ROWS = 1e6


@pytest.mark.parametrize(
    ("form", "least", "most"),
    [("csv", 10, 1e3), ("parquet", 10, 1e3), ("text", 1e3, 1e4), ("wav", 1e5, 1e6), ("jpeg", 5e4, 5e5)],
)
def test_a_sample_of_a_format_is_what_such_files_hold(form: str, least: float, most: float) -> None:
    """Without a model a row has the bytes of a row, a page those of a page: a million rows are no hundred gigabytes."""
    feed = job_of(Query(Workload("preprocessing", dataset=Dataset(samples=ROWS, format=form)))).feed
    assert feed is not None
    assert least < feed.stored_bytes / ROWS < most


@pytest.mark.parametrize("form", ["csv", "text", "wav", "jpeg"])
def test_size_and_samples_follow_from_each_other(form: str) -> None:
    """What is assumed of a number of samples is assumed back of their size."""
    counted = job_of(Query(Workload("preprocessing", dataset=Dataset(samples=ROWS, format=form)))).feed
    assert counted is not None
    sized = Dataset(size_bytes=counted.stored_bytes, format=form)
    assert job_of(Query(Workload("preprocessing", dataset=sized))).samples == pytest.approx(ROWS)
