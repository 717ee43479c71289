"""Plans whose devices would need a larger global batch than is sensible."""

from __future__ import annotations

from dataclasses import replace

from tests.service.engine.catalogs import Box, ask, made_up

from plimsoll_service.engine.answer import Answer
from plimsoll_service.engine.workload import Constraints, Dataset, Query, Workload

MARKET = made_up(
    Box("eight", accelerator="H100-SXM", count=8, vcpus=192, memory_gib=2000, interconnect="nvlink",
        interconnect_gb_s=900, network_gbps=3200)
)  # fmt: skip
VIT = Workload("training", model="vit-base")
LIMIT = 4096


def answer(workload: Workload, most: int = 512) -> Answer:
    return ask(Query(workload, Constraints(max_nodes=most), "time", 20, "none"), MARKET)


def test_batches_shrink_so_that_the_global_batch_stays_sensible() -> None:
    """One machine keeps its batch; many share the limit among them, at the speed of the smaller batch."""
    found = {one.node_count: one for one in answer(VIT).recommendations}
    used = {nodes: one.sizing.batch_size.used for nodes, one in found.items() if one.sizing.batch_size}
    assert used[1] == 256
    assert used[4] == LIMIT / 32
    assert all(nodes * 8 * batch <= LIMIT for nodes, batch in used.items())


def test_more_devices_than_the_limit_keeps_busy_are_not_recommended() -> None:
    """They are counted under a name of their own, and no deadline is short of a machine that nobody would start."""
    found = answer(VIT)
    assert found.rejected["global_batch_size"] > 0
    assert max(one.node_count for one in found.recommendations) < 64


def test_a_stated_batch_is_followed_on_as_many_machines_as_asked() -> None:
    """Who says how large a batch is has reasons that no table knows."""
    for said in ({"batch_size": 256}, {"global_batch_size": 65_536}):
        found = answer(replace(VIT, **said), most=64)
        assert 64 == max(one.node_count for one in found.recommendations)


def test_devices_take_equal_parts_of_a_stated_global_batch() -> None:
    """Trainers refuse a batch that the number of devices does not divide: 3, 6 or 48 machines of 8 devices."""
    found = answer(replace(VIT, global_batch_size=512), most=64)
    assert {1, 2, 4, 8, 16, 32, 64} == {one.node_count for one in found.recommendations}
    assert found.rejected["global_batch_size"] > 0


def test_the_answer_says_how_large_a_step_is_and_how_many_there_are() -> None:
    """Samples of all devices of a run, steps to the end of the data, and the largest sensible batch."""
    data = Dataset(size_bytes=1e10, samples=1e6)
    one = answer(replace(VIT, dataset=data, epochs=3)).recommendations[-1]
    steps = one.estimate.training
    assert steps is not None
    assert LIMIT == steps.largest_sensible_global_batch_size
    assert one.sizing.batch_size is not None
    assert steps.global_batch_size == one.node_count * 8 * one.sizing.batch_size.used
    assert abs(steps.steps - 3e6 / steps.global_batch_size) <= 1


def test_language_models_share_the_limit_in_sequences() -> None:
    """128 sequences of 2,048 tokens for a model that is adapted."""
    tuned = Workload("training", model="llama-3-8b", method="lora", tokens=1e9, sequence_length=2048)
    found = answer(tuned)
    batches = [one.estimate.training.global_batch_size for one in found.recommendations if one.estimate.training]
    assert max(batches) <= 128
    assert found.rejected["global_batch_size"] > 0
    assert max(one.node_count for one in found.recommendations) <= 16


def test_other_work_has_no_steps() -> None:
    """Inference and tables have no global batch."""
    served = ask(Query(Workload("inference", model="vit-base")), MARKET).recommendations[0]
    assert served.estimate.training is None
