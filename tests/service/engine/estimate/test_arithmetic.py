"""Precisions: native, emulated through fp32, or unsupported — per device and for processors."""

from __future__ import annotations

import numpy as np
import pytest
from tests.service.engine.catalogs import Box, catalog_of
from tests.service.fitted import job_of

from plimsoll_service.engine.demand.job import profile_of
from plimsoll_service.engine.estimate.arithmetic import arithmetic, fitted_arithmetic
from plimsoll_service.engine.machines import machines_of
from plimsoll_service.engine.units import BYTES
from plimsoll_service.engine.workload import PRECISIONS, Query, Workload

NATIVE, EMULATED, NONE = (True, False), (True, True), (False, False)
TABLE = [
    ("V100-16GB", "fp16", NATIVE),
    ("V100-16GB", "mixed", NATIVE),
    ("V100-16GB", "bf16", EMULATED),
    ("V100-16GB", "tf32", EMULATED),
    ("V100-16GB", "fp8", NONE),
    ("V100-16GB", "fp64", NATIVE),
    ("K80", "fp32", NATIVE),
    ("K80", "mixed", EMULATED),
    ("K80", "fp16", EMULATED),
    ("K80", "int8", NONE),
    ("T4", "int8", NATIVE),
    ("T4", "int4", NATIVE),
    ("T4", "bf16", EMULATED),
    ("T4", "fp8", NONE),
    ("A100-80GB", "bf16", NATIVE),
    ("A100-80GB", "tf32", NATIVE),
    ("A100-80GB", "fp8", NONE),
    ("H100-SXM", "fp8", NATIVE),
    ("H100-SXM", "fp4", NONE),
    ("B200", "fp4", NATIVE),
    ("TPU-v3", "bf16", NATIVE),
    ("TPU-v3", "mixed", NATIVE),
    ("TPU-v3", "fp16", NONE),
    ("TPU-v3", "fp8", NONE),
]


def numbers(accelerator: str | None, precision: str, falls_back: bool = False, processor: str = Box().processor):
    """Arithmetic of one machine."""
    machines = machines_of(catalog_of(Box(accelerator=accelerator, processor=processor)))
    with np.errstate(invalid="ignore"):
        return arithmetic(machines, precision, falls_back)


@pytest.mark.parametrize(("accelerator", "precision", "expected"), TABLE)
def test_what_a_device_does_with_a_precision(accelerator: str, precision: str, expected: tuple[bool, bool]) -> None:
    """A precision is native, emulated or refused, and never silently assumed."""
    found = numbers(accelerator, precision)
    assert expected == (bool(found.supported[0]), bool(found.emulated[0]))


def test_emulation_runs_at_the_speed_and_size_of_fp32() -> None:
    """bf16 on V100 computes like fp32 and keeps four bytes an element."""
    brain, single = numbers("V100-16GB", "bf16"), numbers("V100-16GB", "fp32")
    assert (float(single.peak[0]), 4.0) == (float(brain.peak[0]), float(brain.element_bytes[0]))
    assert not brain.tensor[0]


def test_auto_takes_fp16_where_bf16_is_missing() -> None:
    """Without a stated precision, 16 bits are the format that the device has."""
    found = numbers("V100-16GB", "bf16", falls_back=True)
    assert (False, 125e12) == (bool(found.emulated[0]), float(found.peak[0]))


@pytest.mark.parametrize("precision", [name for name in PRECISIONS if name != "auto"])
def test_every_precision_has_a_size(precision: str) -> None:
    """Fewer bits are never more bytes."""
    assert BYTES[precision] <= 8.0
    found = numbers("H100-SXM", precision)
    assert float(found.element_bytes[0]) in (BYTES[precision], BYTES["fp32"])


def test_processors_compute_fp32_and_half_of_it_in_fp64() -> None:
    """Half the lanes; 4-bit formats are unknown to them, 16 bits native only with the instructions for it."""
    single, double = numbers(None, "fp32"), numbers(None, "fp64")
    assert float(single.peak[0]) == 2 * float(double.peak[0])
    assert not numbers(None, "fp4").supported[0]
    assert numbers(None, "bf16").emulated[0]


def test_a_share_of_a_device_has_its_share_of_the_peak() -> None:
    """An eighth of a card has an eighth of its peak."""
    whole, part = (machines_of(catalog_of(Box(accelerator="T4", count=count))) for count in (1.0, 0.125))
    assert float(part.peak("fp16")[0]) == float(whole.peak("fp16")[0]) / 8
    assert (1.0, 0.125) == (float(part.devices[0]), float(part.count[0]))


def test_onnx_runtime_computes_in_single_precision_on_processors() -> None:
    """It has no kernels of 16 bits there; PyTorch uses the matrix units of the same cores."""
    amx = machines_of(catalog_of(Box(accelerator=None, processor="Intel Xeon Platinum 8488C")))
    jobs = [
        job_of(Query(Workload("inference", model="vit-base", framework=name, precision="mixed")))
        for name in ("onnxruntime", "pytorch")
    ]
    own, other = (fitted_arithmetic(job, profile_of(job), amx) for job in jobs)

    assert (True, False) == (bool(own.emulated[0]), bool(other.emulated[0]))
    assert own.peak[0] < other.peak[0]


@pytest.mark.parametrize(
    ("framework", "asked", "single"),
    [("pytorch", {}, True), ("sentence-transformers", {}, True), ("pytorch", {"precision": "bf16"}, False),
     ("pytorch", {"tuning": "tuned"}, False), ("openvino", {}, False)],
)  # fmt: skip
def test_stock_scripts_load_weights_in_single_precision(framework: str, asked: dict[str, str], single: bool) -> None:
    """Without a word on precision, PyTorch and Hugging Face's libraries compute in FP32 on processors."""
    amx = machines_of(catalog_of(Box(accelerator=None, processor="Intel Xeon Platinum 8488C")))
    job = job_of(Query(Workload("inference", model="bge-base-en-v1.5", framework=framework, **asked)))

    assert single == bool(fitted_arithmetic(job, profile_of(job), amx).emulated[0])


@pytest.mark.parametrize(("tuning", "behind"), [("stock", "pytorch"), ("tuned", "tensorrt")])
def test_a_triton_server_is_as_fast_as_the_engine_behind_it(tuning: str, behind: str) -> None:
    """A Triton server is as fast as its back end: PyTorch, and TensorRT where it is tuned."""
    machines = machines_of(catalog_of(Box(accelerator="L4")))
    server, engine = (
        fitted_arithmetic(job, profile_of(job), machines).fitted_factor[0]
        for job in (
            job_of(Query(Workload("inference", model="bert-base", framework=name, tuning=tuning)))
            for name in ("triton-inference-server", behind)
        )
    )
    assert server == engine


def test_four_bit_weights_are_multiplied_in_sixteen_bits() -> None:
    """bitsandbytes unpacks them: a device with INT4 units gains nothing, and one without lacks nothing."""
    for accelerator in ("T4", "H100-SXM"):
        jobs = [job_of(Query(Workload("inference", model="bert-large", precision=name))) for name in ("int4", "mixed")]
        machines = machines_of(catalog_of(Box(accelerator=accelerator)))
        few, half = (fitted_arithmetic(job, profile_of(job), machines) for job in jobs)

        assert bool(few.supported[0])
        assert few.peak[0] == half.peak[0]
