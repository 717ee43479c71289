"""Workers of an engine for many machines give the same answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.service.bulk.files import body_of, read_csv, sweep, write_lines

from plimsoll_service.bulk.command import main
from plimsoll_service.settings import Settings

bag = pytest.importorskip("dask.bag", reason="Dask is not installed: bulk on many machines is not tried")


def test_partitions_are_sized_in_order_by_other_processes(tmp_path: Path) -> None:
    """Dask's processes give the answers of bulk on one machine, line by line, for any partitions."""
    from plimsoll_service.bulk.on_dask import main as on_dask

    source = write_lines(tmp_path / "in.jsonl", [*map(body_of, sweep(30)), "{"])
    assert on_dask([str(source), str(tmp_path / "out" / "*.jsonl"), "--blocksize", "1KiB"]) == 0
    main([str(source), str(tmp_path / "out.csv"), "--quiet", "--processes", "1"])

    files = sorted((tmp_path / "out").iterdir(), key=lambda path: int(path.stem))
    found = [json.loads(line) for path in files for line in path.read_text().splitlines()]
    rows = read_csv(tmp_path / "out.csv")
    assert len(files) > 1
    assert {path.read_text()[-1] for path in files} == {"\n"}  # so that `cat` joins them
    assert [(row["id"], row["status"]) for row in rows] == [(one["id"] or "", str(one["status"])) for one in found]
    assert [row["instance_type"] for row in rows] == [one.get("instance_type") or "" for one in found]


def test_a_bag_on_a_cluster(tmp_path: Path) -> None:
    """A cluster of Dask, with processes on this machine, sizes a bag in the order of its scheduler."""
    distributed = pytest.importorskip("distributed", reason="distributed is not installed: no cluster is tried")
    from plimsoll_service.bulk.on_dask import sized

    lines = bag.from_sequence([json.dumps(body_of(one)) for one in sweep(12)], npartitions=3)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(tmp_path)
        ) as cluster,
        distributed.Client(cluster),
    ):
        found = [json.loads(line) for line in sized(lines, Settings(), whole=True).compute()]

    assert [one["id"] for one in sweep(12)] == [one["id"] for one in found]
    assert all(one["recommendations"] for one in found)
