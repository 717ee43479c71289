"""Services: machines for a rate, latency under load, memory that decides the concurrency."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.service.engine.estimate.machines import machine, scored

from plimsoll_service.engine.spreads import MODELLED
from plimsoll_service.engine.workload import Workload

LLAMA = Workload("inference", model="llama-3-8b", input_tokens=500, output_tokens=200, precision="bf16")
RESNET = Workload("inference", model="resnet-50")
H100 = {"accelerator": "H100-SXM", "vcpus": 64, "memory_gib": 500}


@pytest.mark.parametrize(("workload", "rates"), [(LLAMA, (1, 30, 300)), (RESNET, (10, 3e4, 3e5))])
def test_more_requests_need_more_machines(workload: Workload, rates: tuple[float, ...]) -> None:
    """The machines carry the rate at the low end of what each can do, and one fewer would not."""
    counts = []
    for rate in rates:
        one = scored(replace(workload, requests_per_second=rate), machine(**H100), sized=True)
        units = rate * (workload.output_tokens or 1)
        counts.append(float(one.nodes[0]))
        assert float(one.outcome.capacity_low[0]) >= units * (1 - 1e-9)
        assert float(one.outcome.throughput[0]) == pytest.approx(units)
    assert counts == sorted(counts)
    assert counts[-1] > 1


def test_load_lengthens_the_tail() -> None:
    """The 95th percentile grows with the rate on the same machine."""
    tails = [
        float(scored(replace(RESNET, batch_size=8, requests_per_second=rate), machine(**H100)).outcome.latency_ms[0])
        for rate in (1, 2000, 8000)
    ]
    assert tails == sorted(tails)
    assert tails[-1] > tails[0]


def test_a_latency_target_bounds_the_rate() -> None:
    """Under a tight target fewer requests are answered, and the target is met at the high end."""
    free, tight = (scored(replace(RESNET, latency_ms=target), machine(**H100)).outcome for target in (None, 40.0))
    assert float(tight.throughput[0]) < float(free.throughput[0])
    assert float(tight.latency_high_ms[:][0]) <= 40.0


def test_a_model_larger_than_a_device_is_split() -> None:
    """70 B parameters in 16 bits take two 80 GB devices at least; one alone has too little memory."""
    large = replace(LLAMA, model="llama-3-70b")
    assert 2 == int(scored(large, machine(**H100)).outcome.obstacle[0])
    four = scored(large, machine(**H100, count=4, interconnect="nvlink", interconnect_gb_s=900)).outcome
    assert 0 == int(four.obstacle[0])
    assert float(four.serving.tensor_parallel[0]) >= 2


def test_fewer_bits_leave_room_for_more_requests() -> None:
    """In 4-bit weights more requests run at once on a small device."""
    small = machine(accelerator="A10G", vcpus=16, memory_gib=64)
    half, quarter = (scored(replace(LLAMA, precision=bits), small).outcome for bits in ("bf16", "int4"))
    assert float(quarter.batch_largest[0]) > float(half.batch_largest[0])
    # Both token tables stay in 16 bits: 2.1 of the 5.8 GB.
    assert float(quarter.device.parts["weights"][0]) < float(half.device.parts["weights"][0]) / 2.5


def test_longer_prompts_wait_longer_for_the_first_token() -> None:
    """Time to first token grows with the prompt, at the same concurrency."""
    waits = [
        float(scored(replace(LLAMA, input_tokens=length, concurrency=4), machine(**H100)).outcome.serving.ttft_ms[0])
        for length in (100, 1000, 7000)
    ]
    assert waits == sorted(waits)


def test_what_is_served_together_stays_within_memory() -> None:
    """Flat out, weights, cache and engine fill what is usable of the device and never more."""
    for accelerator in ("A10G", "L4", "A100-80GB", "H100-SXM"):
        run = scored(LLAMA, machine(accelerator=accelerator, vcpus=32, memory_gib=256)).outcome
        assert 0 == int(run.obstacle[0])
        assert float(run.device.required[0]) <= float(run.device.usable[0])


def test_replicas_multiply_the_rate() -> None:
    """Two machines serve twice what one does."""
    one, two = (scored(LLAMA, machine(**H100), nodes=nodes).outcome for nodes in (1, 2))
    assert float(two.throughput[0]) == pytest.approx(2 * float(one.throughput[0]))
    assert float(two.serving.replicas[0]) == 2 * float(one.serving.replicas[0])


def test_ranges_hold_their_value() -> None:
    """Low ≤ value ≤ high of rate, capacity and latency, with and without a load."""
    for workload in (LLAMA, RESNET, replace(LLAMA, requests_per_second=3), replace(RESNET, requests_per_second=3)):
        run = scored(workload, machine(**H100), sized=True).outcome
        for low, value, high in (
            (run.throughput_low, run.throughput, run.throughput_high),
            (run.capacity_low, run.capacity, run.capacity_high),
            (run.latency_low_ms, run.latency_ms, run.latency_high_ms),
        ):
            assert np.all(low[:] <= value)
            assert np.all(value <= high[:])


def test_an_overload_queues_for_as_long_as_it_lasts() -> None:
    """Twice what a machine carries leaves an hour of requests waiting after an hour."""
    carried = scored(replace(RESNET, batch_size=8), machine(**H100)).outcome
    over = scored(replace(RESNET, batch_size=8, requests_per_second=2 * float(carried.capacity[0])), machine(**H100))
    assert float(over.outcome.latency_ms[0]) == pytest.approx(3600e3, rel=0.01)


def test_a_lone_request_waits_for_nobody() -> None:
    """With one request at a time latency and throughput agree by Little's law."""
    alone = scored(replace(RESNET, concurrency=1), machine(accelerator="T4", vcpus=8, memory_gib=32)).outcome
    assert float(alone.latency_ms[0] * alone.throughput[0]) == pytest.approx(1000)


def test_processors_serve_weights_of_four_bits() -> None:
    """Weight-only formats need no arithmetic of their own; 8-bit floats do."""
    host = {"accelerator": None, "vcpus": 64, "memory_gib": 256}
    assert scored(replace(LLAMA, precision="int4", concurrency=1), machine(**host)).outcome.obstacle[0] == 0
    assert scored(replace(LLAMA, precision="fp8", concurrency=1), machine(**host)).outcome.obstacle[0] > 0


def test_the_largest_batch_of_rows_is_one_of_use() -> None:
    """Millions of user-item pairs fit into a host's memory; no estimate takes more than 65,536 at once."""
    host = machine(accelerator=None, count=0, vcpus=8, memory_gib=32)
    asked = Workload("inference", model="dlrm", requests_per_second=100)

    assert 65_536 == scored(asked, host).outcome.batch_largest[:][0]


@pytest.mark.parametrize("device", [None, "H100-SXM"])
def test_a_pair_that_comes_over_http_takes_a_core_most_of_a_millisecond(device: str | None) -> None:
    """Four fast cores of the host answer a few thousand such requests a second; of a hundred pairs each, more pairs."""
    host = machine(accelerator=device, count=int(device is not None), vcpus=8, memory_gib=64)
    one, hundred = (
        scored(Workload("inference", model="dlrm", requests_per_second=1000, batch_size=batch), host).outcome
        for batch in (None, 100)
    )
    assert 2000 < float(one.capacity[0]) < 4 * 1.5 / 0.775e-3
    assert float(hundred.capacity[0]) > 3 * float(one.capacity[0])
    assert MODELLED == scored(Workload("inference", model="dlrm", requests_per_second=1000), host).machines.basis[0]
