"""Preprocessing: the framework sets the format, images are made smaller, tables are read and written."""

from __future__ import annotations

import numpy as np
import pytest
from tests.service.engine.estimate.machines import machine, scored, throughput
from tests.service.fitted import job_of

from plimsoll_service.engine.workload import Dataset, Query, Workload

IMAGES = Dataset(name="imagenet-1k", format="jpeg")
TABLE = Dataset(size_bytes=50e9, format="csv")


def converting(dataset: Dataset = IMAGES, **fields: object) -> Workload:
    return Workload("preprocessing", dataset=dataset, **fields)


@pytest.mark.parametrize(
    ("framework", "written"),
    [(None, "lmdb"), ("mxnet", "recordio"), ("tensorflow", "tfrecord"), ("keras", "tfrecord"), ("nvcaffe", "lmdb"),
     ("pytorch", "webdataset"), ("jax", "lmdb")],
)  # fmt: skip
def test_the_framework_says_what_is_written(framework: str | None, written: str) -> None:
    """Each framework reads records of its own; without one, and of a framework without any, LMDB is written."""
    assert written == job_of(Query(converting(framework=framework))).workload.output_format


def test_tables_are_written_as_columns() -> None:
    """A table is written as columns, not to LMDB."""
    assert "parquet" == job_of(Query(converting(TABLE))).workload.output_format


def test_a_stated_format_is_written_whatever_the_framework() -> None:
    """A stated format takes precedence over the framework's."""
    found = job_of(Query(converting(framework="mxnet", output_format="tfrecord")))
    assert "tfrecord" == found.workload.output_format


def test_the_image_size_is_what_is_written() -> None:
    """Bytes follow from the pixels: raw in LMDB, as JPEG in the other records."""
    bytes_of = {
        (form, side): job_of(Query(converting(output_format=form, image_size=(side,)))).feed.written_bytes
        for form in ("lmdb", "recordio")
        for side in (128, 256)
    }
    assert bytes_of["lmdb", 256] == pytest.approx(1_281_167 * 256 * 256 * 3)
    assert bytes_of["lmdb", 256] == pytest.approx(4 * bytes_of["lmdb", 128])
    assert bytes_of["recordio", 256] < bytes_of["lmdb", 256] / 3


def test_smaller_images_take_work_and_less_work_the_smaller_they_are() -> None:
    """Each image is decoded, made smaller and encoded."""
    seconds = [
        job_of(Query(converting(framework="mxnet", image_size=size))).feed.core_seconds
        for size in (None, (64,), (512,))
    ]
    assert seconds[0] < seconds[1] < seconds[2]


def test_a_table_is_converted_in_blocks() -> None:
    """No converter takes the whole table into memory."""
    some = machine(accelerator=None, count=0, vcpus=16, memory_gib=256)
    small, large = (
        scored(converting(Dataset(size_bytes=size, format="csv")), some).outcome.host.required[0]
        for size in (50e9, 2e12)
    )
    assert small == large < 4


def test_writing_text_takes_longer_than_columns() -> None:
    """As it comes, pandas writes text at 16 MB/s."""
    some = machine(accelerator=None, count=0, vcpus=16, memory_gib=256)
    columns, text = (
        throughput(converting(Dataset(size_bytes=20e9, format="parquet"), output_format=form), some)
        for form in ("parquet", "csv")
    )
    assert text < columns / 5


@pytest.mark.parametrize(
    ("framework", "expected"), [("spark", True), ("dask", True), ("polars", True), ("pandas", False)]
)
def test_what_uses_every_core(framework: str, expected: bool) -> None:
    """Spark and Dask use every core without shards made by hand; pandas is one process."""
    assert expected == job_of(Query(converting(TABLE, framework=framework))).tuned


def test_dask_is_pandas_in_several_processes() -> None:
    """A core of it does what one of pandas does; Spark's takes three times as long."""
    seconds = {}
    for framework in ("pandas", "dask", "spark"):
        feed = job_of(Query(converting(TABLE, framework=framework))).feed
        assert feed is not None
        seconds[framework] = feed.core_seconds
    assert seconds["pandas"] >= seconds["dask"] == pytest.approx(seconds["spark"] / 3)


@pytest.mark.parametrize("form", ["wav", "text"])
def test_sound_and_text_are_written_to_archives(form: str) -> None:
    """LMDB is for pictures, whose pixels it holds; archives are as large as the files."""
    feed = job_of(Query(converting(Dataset(size_bytes=1e12, format=form)))).feed
    assert feed.written_bytes == pytest.approx(1e12)


@pytest.mark.parametrize("vcpus", [48, 96, 192])
def test_no_more_vcpus_are_asked_for_than_work(vcpus: int) -> None:
    """All of them busy is all of them, however the figures round."""
    asked = converting(Dataset(size_bytes=8e12, format="text"), framework="spark")
    host = {"vcpus": vcpus, "memory_gib": 4 * vcpus, "processor": "AMD EPYC 7V12", "local_disk_gb": 1e5}
    on = machine(accelerator=None, count=0, disk_mib_s=1e5, **host)

    assert vcpus >= scored(asked, on).outcome.vcpus_required[np.arange(1)][0]
