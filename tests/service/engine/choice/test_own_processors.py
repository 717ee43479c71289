"""Whole processors of the user's own machines."""

from __future__ import annotations

import pytest
from tests.service.engine.catalogs import ask, bundled, bundled_market

from plimsoll_service.engine.choice.own_machines import own_machines
from plimsoll_service.engine.choice.stated_faults import hardware_faults
from plimsoll_service.engine.workload import Constraints, Hardware, Query, Workload


def tokens_per_second(model: str, cpu: str, vcpus: int) -> float:
    """Decoding one request of llama.cpp in Q4_K_M on an own machine."""
    machine = Hardware(label="own", cpu=cpu, vcpus=vcpus, memory_gib=384, usd_per_hour=0.5)
    work = Workload(
        "inference", framework="llama.cpp", model=model, quantization="gguf", concurrency=1, input_tokens=1,
        output_tokens=128, tpot_ms=2000,
    )  # fmt: skip
    [one] = ask(Query(work, Constraints(clouds=("own",), own_machines=(machine,))), bundled_market()).recommendations
    assert one.estimate.serving is not None
    assert one.estimate.serving.tpot_ms is not None
    return 1000.0 / one.estimate.serving.tpot_ms.value


def test_twelve_channels_write_tokens_as_fast_as_they_were_measured() -> None:
    """28.74 tokens/s of Phi-4 14B on an EPYC 9554 (ahelpme.com, llama.cpp and AMD EPYC 9554 CPU, 2025)."""
    assert 28.74 == pytest.approx(tokens_per_second("phi-4", "AMD EPYC 9554", 128), rel=0.25)


def test_more_threads_of_one_processor_are_not_slower() -> None:
    """192 threads are the 96 cores of one EPYC 9654, not four parts of a cloud's."""
    half, whole = (tokens_per_second("llama-3.3-70b", "AMD EPYC 9654", vcpus) for vcpus in (96, 192))

    assert whole >= half
    assert whole > 5


@pytest.mark.parametrize(
    ("cpu", "vcpus", "memory_gib", "sockets", "gb_s"),
    [
        ("AMD EPYC 9654", 192, 384.0, 1, 359.4),
        ("2 x AMD EPYC 9654 96-Core Processor", 384, 768.0, 2, 718.8),
        ("AMD EPYC 9654", 192, 64.0, 1, 119.8),
        ("AMD EPYC 7763", 128, 256.0, 1, 159.7),
        ("Intel Xeon Gold 6330", 112, 512.0, 2, 319.5),
        ("AMD EPYC 7502P 32-Core Processor", 64, 256.0, 1, 159.7),
        ("AMD Ryzen 9 7950X", 32, 64.0, 1, 64.9),
        ("13th Gen Intel(R) Core(TM) i9-13900K", 32, 64.0, 1, 69.9),
        ("Core i7-12700K", 20, 32.0, 1, 59.9),
        ("Threadripper 7980X", 128, 256.0, 1, 129.8),
        ("Intel(R) Xeon(R) w9-3495X", 112, 512.0, 1, 239.6),
    ],
)
def test_the_channels_of_a_named_processor_are_counted(
    cpu: str, vcpus: int, memory_gib: float, sockets: int, gb_s: float
) -> None:
    """Channels × MT/s × 8 bytes × 0.78 for each socket; four modules of 16 GB fill four of twelve channels."""
    machine = Hardware(label="own", cpu=cpu, vcpus=vcpus, memory_gib=memory_gib)
    found = own_machines((machine,), bundled_market()).machines

    assert sockets == found.sockets[0]
    assert gb_s == pytest.approx(found.cpu_bandwidth_gb_s[0], rel=0.001)


def test_a_desktop_runs_at_its_own_clock() -> None:
    """The clocks of the Ryzen 9 7950X are 4.5 and 5.7 GHz, and its cores do 64 operations in a cycle."""
    machine = Hardware(label="own", cpu="AMD Ryzen 9 7950X", vcpus=32, memory_gib=64)
    found = own_machines((machine,), bundled_market()).machines

    assert 16 * 64 * 5.1 / 1e3 == pytest.approx(found.cpu_tflops[0])


def test_an_unknown_processor_is_told_how_they_are_named() -> None:
    """Where no known name is near, the fault shows names of each kind."""
    [fault] = hardware_faults(Hardware(cpu="Phenom", vcpus=4), bundled_market(), "/on")

    assert "Ryzen 9 7950X" in fault.detail


def test_a_part_that_only_clouds_have_stays_as_it_was_measured() -> None:
    """The EPYC 7R32 is not in AMD's tables."""
    row = bundled().processors.name.index("AMD EPYC 7R32")
    found = own_machines((Hardware(label="own", cpu="AMD EPYC 7R32", vcpus=96),), bundled_market()).machines

    assert found.cpu_bandwidth_gb_s[0] <= found.sockets[0] * bundled().processors.socket_bandwidth_gb_s[row]
