"""Networks over video, and over images of many patches, agree with what is published of them."""

from __future__ import annotations

import pytest
from tests.service.fitted import job_of

from plimsoll_service.engine.workload import Dataset, Query, Workload
from plimsoll_service.evidence import models


@pytest.mark.parametrize(
    ("name", "parameters", "gflop"),
    [("slowfast", 34.57e6, 2 * 65.71), ("i3d", 28.04e6, 2 * 37.53), ("yolo11", 20.1e6, 68.5), ("yolo11x", 57.0e6, 196)],
)
def test_published_networks_have_their_published_work(name: str, parameters: float, gflop: float) -> None:
    """Parameters and operations are those of the model zoos, a multiply-add being two operations."""
    found = models.find(name)
    assert found is not None
    assert found.parameters == pytest.approx(parameters, rel=0.01)
    assert found.forward_flops == pytest.approx(gflop * 1e9, rel=0.01)


def test_a_clip_is_more_work_than_a_frame() -> None:
    """A ViT over a clip of 16 frames has eight times the patches, all of which see each other."""
    clip, frame = models.find("videomae-base"), models.find("vit-base")
    assert clip is not None
    assert frame is not None
    assert clip.forward_flops > 8 * frame.forward_flops
    assert clip.parameters == pytest.approx(frame.parameters, rel=0.05)


def test_blocks_of_windows_take_less_than_blocks_of_the_whole_image() -> None:
    """Segment Anything looks within windows of 14 x 14 patches in all blocks but four."""
    small, huge = models.find("sam"), models.find("sam-vit-h")
    assert small is not None
    assert huge is not None
    assert huge.parameters == pytest.approx(635e6, rel=0.02)
    assert small.forward_flops < huge.forward_flops / 5


def test_volumes_are_read_as_arrays() -> None:
    """Nobody decodes a scanner's volume; a voxel has four bytes."""
    job = job_of(Query(Workload("training", model="unet-3d", dataset=Dataset(samples=100))))
    assert "array" == job.workload.dataset.format
    assert job.feed is not None
    assert 4 * 128**3 == job.feed.bytes_per_sample
    photographs = job_of(Query(Workload("training", model="unet", dataset=Dataset(samples=100))))
    assert "jpeg" == photographs.workload.dataset.format
