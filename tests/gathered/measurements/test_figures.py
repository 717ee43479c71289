"""The project's own tables of collected figures."""

from __future__ import annotations

from pathlib import Path

import pytest
from gathered.measurements.figures import own_measurements

from plimsoll_service.evidence.measurement import EvidenceError

HEAD = "model,printed_model,task,framework,tuning,precision,accelerator,device_count,metric,value,compiled"


def test_a_file_is_a_source(tmp_path: Path) -> None:
    """A file's name is the key of its source; rows are numbered, and an empty count is one."""
    (tmp_path / "lab.csv").write_text(f"{HEAD}\nresnet50,R50,training,pytorch,stock,mixed,T4,,samples/s,100,true\n")
    (tmp_path / "sources.csv").write_text("key,title,url,licence,what,doubts\n")

    (row,) = own_measurements(tmp_path)

    assert (row.id, row.source, row.device_count, row.value, row.compiled) == ("lab-0001", "lab", 1, 100.0, True)


def test_a_model_without_a_name_keeps_its_printed_one(tmp_path: Path) -> None:
    """A model without a known name is a slug of its printed name."""
    (tmp_path / "lab.csv").write_text(f"{HEAD}\n,Odd Net (v2),training,pytorch,stock,mixed,T4,1,samples/s,1,\n")

    assert own_measurements(tmp_path)[0].model == "odd-net-v2"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{HEAD},vaule\n", "unknown columns vaule"),
        (f"{HEAD}\nresnet50,R50,training,pytorch,stock,mixed,T4,1,samples/s,,\n", "lab-0001: value is missing"),
    ],
)
def test_what_is_wrong_is_named(text: str, words: str, tmp_path: Path) -> None:
    """A fault names the column, or the row and its cell."""
    (tmp_path / "lab.csv").write_text(text)

    with pytest.raises(EvidenceError, match=words):
        own_measurements(tmp_path)
