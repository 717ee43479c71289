"""Dates of figures."""

from __future__ import annotations

import pytest
from gathered.measurements.common import date_of
from tests.gathered.measurements.figures import raw


@pytest.mark.parametrize(
    ("columns", "date"),
    [
        ({"framework_version": "2.3.0a0+40ec155e58.nv24.03"}, "2024-03"),
        ({"framework_version": "NGC 22.10"}, "2022-10"),
        ({"framework_version": "25.11 NeMo Container"}, "2025-11"),
        ({"framework_version": "torch 2024-12-23 nightly"}, "2024-12-23"),
        ({"framework_version": "", "commit_or_date": "2023-10-20 (26857050fe3f)"}, "2023-10-20"),
        ({"framework_version": "", "commit_or_date": "2024-08 (198fc46799b3)"}, "2024-08"),
        ({"framework_version": "2015-2016", "commit_or_date": ""}, "2016"),
        ({"framework_version": "", "note": "id 2026_04_06_llama_c16"}, "2026-04-06"),
        ({"framework_version": "1.4.0a0+a5b4d78"}, "2020"),
        ({"framework_version": "", "commit_or_date": "729963dd47e7"}, ""),
    ],
)
def test_the_closest_word_of_the_row_counts(columns: dict[str, str], date: str) -> None:
    """The most exact date counts: a day, a container's month, a year, a release; empty if there is none."""
    assert date_of(raw(**columns), "pytorch") == date
