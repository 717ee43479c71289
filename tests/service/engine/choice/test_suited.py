"""Own cards and computers: the engine that runs there, and the memory that it finds."""

from __future__ import annotations

import pytest
from tests.service.engine.catalogs import bundled_market
from tests.service.fitted import job_of

from plimsoll_service.engine.choice.engines import with_suited_engine
from plimsoll_service.engine.choice.evaluate import Evaluated, evaluate
from plimsoll_service.engine.choice.own_machines import own_machines
from plimsoll_service.engine.choice.selection import select
from plimsoll_service.engine.workload import Hardware, Query, Workload

FOUR_BITS = {"task": "inference", "framework": "llama.cpp", "precision": "int4", "concurrency": 1.0}


def on(device: str, workload: Workload, memory_gib: float | None = None) -> Evaluated:
    market, hardware = bundled_market(), Hardware(accelerator=device, memory_gib=memory_gib)
    query, _ = with_suited_engine(Query(workload), (hardware,), market)
    job = job_of(query)
    return evaluate(job, market, hardware, select(job, market, own_machines((), market)))


def required(found: Evaluated) -> float:
    memory = found.sizing.accelerator_memory_gib
    assert memory is not None
    return memory.required


@pytest.mark.parametrize(
    ("device", "engine"),
    [("P40", "llama.cpp"), ("GTX 1080 Ti", "llama.cpp"), ("M4 Max 64GB", "llama.cpp"), ("RTX 4090", None),
     ("V100", None), ("7900 XTX", None), ("TPU v5e", None)],
)  # fmt: skip
def test_llama_cpp_is_taken_where_the_usual_engine_does_not_run(device: str, engine: str | None) -> None:
    """Without a stated engine, the service chooses one that runs on the named card, and gives the reason."""
    query = Query(Workload(task="inference", model="llama-3.2-3b"))
    suited, said = with_suited_engine(query, (Hardware(accelerator=device),), bundled_market())
    assert engine == suited.workload.framework
    assert (engine is not None) == any("vLLM does not run" in one.why for one in said)


def test_an_engine_that_is_named_stays() -> None:
    """A stated vLLM stays, and the answer says that it does not run there."""
    query = Query(Workload(task="inference", model="llama-3.2-3b", framework="vllm"))
    assert (query, ()) == with_suited_engine(query, (Hardware(accelerator="P40"),), bundled_market())


@pytest.mark.parametrize(
    "device",
    ["RTX 3060", "4060 Ti 16GB", "RTX 4070 Super", "4080", "RTX 5070 Ti", "5090", "RTX A4000", "RTX 6000 Ada",
     "RTX PRO 6000 Blackwell Workstation Edition", "GTX 1080 Ti", "P40", "M40", "2080 Ti", "Titan RTX", "7900 XTX",
     "W7900", "Arc B580", "Ryzen AI Max+ 395", "DGX Spark", "Jetson AGX Orin", "M1", "M2 Ultra", "M4 Pro", "M5"],
)  # fmt: skip
def test_an_8b_model_of_four_bits_answers_on_every_card_as_fast_as_its_memory_is_read(device: str) -> None:
    """A lone user's tokens a second lie below the bandwidth over the weights, and above a third of it."""
    accelerators, market = bundled_market().catalog.accelerators, bundled_market()
    found = on(device, Workload(model="llama-3.1-8b", **FOUR_BITS))
    assert found.fits
    assert found.estimate is not None
    assert found.estimate.throughput is not None
    row = accelerators.name.index(market.spellings["accelerator"]["".join(c for c in device.lower() if c.isalnum())])
    bound = accelerators.memory_bandwidth_gb_s[row] / (8.03 * 0.605)
    assert 0.33 * bound < found.estimate.throughput.value < bound


def test_a_mac_has_the_memory_that_is_said() -> None:
    """A 70B model in 4 bits fits 64 GB, stated in the name or beside it, but not 36 GB."""
    workload = Workload(model="llama-3.3-70b", **FOUR_BITS)
    fits = [
        on("M4 Max", workload).fits,
        on("M4 Max 64GB", workload).fits,
        on("M4 Max", workload, memory_gib=64.0).fits,
        on("M4 Max 36GB", workload).fits,
    ]
    assert [True, True, True, False] == fits


def test_a_tower_of_images_takes_memory() -> None:
    """A model that reads images needs its language model's memory and its tower's."""
    alone = on("H100", Workload(task="inference", model="qwen2.5-7b", concurrency=1.0))
    reading = on("H100", Workload(task="inference", model="Qwen/Qwen2.5-VL-7B-Instruct", concurrency=1.0))
    assert required(reading) - required(alone) == pytest.approx(0.669e9 * 2 / 2**30, rel=0.1)


@pytest.mark.parametrize(
    ("model", "least", "most"),
    [("BAAI/bge-large-en-v1.5", 200, 4_000), ("all-MiniLM-L6-v2", 5_000, 80_000), ("yolo11n", 500, 20_000),
     ("nllb-200-distilled-600M", 200, 8_000), ("Wan-AI/Wan2.1-T2V-1.3B", 0.003, 0.05), ("sam2", 30, 500)],
)  # fmt: skip
def test_models_of_each_kind_answer_on_an_h100_at_a_sensible_rate(model: str, least: float, most: float) -> None:
    """Passages, images, sentences and clips a second, within the order that such a card is known for."""
    found = on("H100", Workload(task="inference", model=model))
    assert found.fits
    assert found.estimate is not None
    assert found.estimate.throughput is not None
    assert least < found.estimate.throughput.value < most
