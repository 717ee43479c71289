"""The serving problems: their rows, their use of the engine's own estimate, and the committed figures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from calibration.asked import asked
from calibration.fitting import Fit, Parameter
from calibration.problems.serving import (
    DEVICES,
    HOSTS,
    MOST_ALIKE,
    PROCESSORS,
    ServingProblem,
    errors_of,
    figures_by_part,
    on_devices,
    on_processors,
    on_rented_devices,
    problem_of,
    thinned,
    with_parts,
)
from calibration.problems.serving_rows import groups_of, usable
from calibration.results import Evidence
from tests.calibration.rows import row
from tests.service.engine.catalogs import bundled, bundled_market
from tests.service.fitted import FITTED, job_of

from plimsoll_service.engine.choice.named_hardware import named_hardware_of
from plimsoll_service.engine.machines import VECTOR_CLASSES
from plimsoll_service.engine.serving_coefficients import Serving
from plimsoll_service.engine.workload import Query
from plimsoll_service.evidence import published
from plimsoll_service.evidence.measurement import Measurement

pytestmark = pytest.mark.xdist_group("serving")  # one worker makes what all tests here share

WITHIN = 0.005  # of each coefficient: four digits are written
CATALOG = bundled()
MARKET = bundled_market()
SERVED = row(
    task="inference", model="llama-3-8b", framework="vllm", precision="bf16", accelerator="H100-SXM", metric="tpot_ms",
    value=10.0, load="closed", concurrency=16.0, input_tokens=500, output_tokens=200, tensor_parallel=1,
)  # fmt: skip
ON_CORES = replace(SERVED, accelerator=None, cpu="AMD EPYC 9R14", vcpus=32, memory_gib=128.0)


def test_a_machine_that_the_catalog_lacks_is_fitted_as_described() -> None:
    """A machine that the catalog lacks is fitted by its processor and vCPUs, not as a default machine."""
    lacking = replace(ON_CORES, cloud="vultr", instance_type="vbm-24c-384gb-amd", cpu="AMD EPYC 9254", vcpus=48)
    (group,) = groups_of([lacking], MARKET)

    assert ["avx512_bf16", 48.0] == [VECTOR_CLASSES[group.machines.vector[0]], float(group.machines.vcpus[0])]


@pytest.fixture(scope="module")
def problem() -> ServingProblem:
    return problem_of(
        groups_of((one for one in published.measurements() if one.accelerator), MARKET), DEVICES, FITTED.serving
    )


def test_a_refit_reproduces_the_committed_coefficients(problem: ServingProblem, found: Fit) -> None:
    """The bundled rows alone give the same figures, without rented instances."""
    for parameter, value in zip(problem.parameters, found.values, strict=True):
        part, field = parameter.name.split(".")
        assert value == pytest.approx(getattr(getattr(FITTED.serving, part), field), rel=WITHIN), parameter.name


def test_shares_of_a_rate_stay_below_it(problem: ServingProblem, found: Fit) -> None:
    """No share of bandwidth or of a peak is above what the datasheet says."""
    device = with_parts(FITTED.serving, problem.parameters, found.values).device
    gguf = device.bandwidth_gddr
    assert max(device.bandwidth_hbm, device.kv, device.experts, gguf) < 1
    assert max(device.compute16, device.compute8, device.compute4, device.compute_weight_only) < 1
    assert device.attention < 1
    assert device.interference < 1.5


@pytest.mark.parametrize("base", [SERVED, ON_CORES])
@pytest.mark.parametrize("metric", ["tpot_ms", "ttft_ms", "output_tokens/s"])
def test_the_problem_runs_the_estimate_that_users_get(base: Measurement, metric: str) -> None:
    """A row's prediction equals the answer to the same question."""
    measured = replace(base, metric=metric)
    group = groups_of([measured], MARKET)[0]
    workload, hardware = asked(measured)
    outcome = named_hardware_of(job_of(Query(workload)), MARKET, hardware).estimates.outcome
    assert outcome.serving is not None
    answers = {
        "tpot_ms": outcome.serving.tpot_ms[0],
        "ttft_ms": outcome.serving.ttft_ms[0],
        "output_tokens/s": outcome.throughput[0],
    }
    assert float(np.exp(group.log_predicted(FITTED.serving)[0])) == pytest.approx(float(answers[metric]), rel=1e-6)


def test_rows_without_an_end_are_the_most_that_is_served() -> None:
    """Offline rows count all replicas, and equal the answer without a load."""
    offline = replace(SERVED, metric="output_tokens/s", load="offline", concurrency=None, device_count=4)
    group = groups_of([offline], MARKET)[0]
    workload, hardware = asked(offline)
    outcome = named_hardware_of(job_of(Query(workload)), MARKET, hardware).estimates.outcome
    found = float(np.exp(group.log_predicted(FITTED.serving)[0]))
    assert found == pytest.approx(float(outcome.throughput[0]), rel=0.02)  # loads of the curve are joined by lines


@pytest.mark.parametrize(
    "facts",
    [
        {"doubt": "disturbed"},
        {"load": None},
        {"metric": "latency_ms"},
        {"task": "training"},
        {"load": "saturated", "metric": "ttft_ms"},
        {"load": "single", "framework": "tensorrt-llm", "metric": "ttft_ms"},
        {"framework": "pytorch", "tuning": "tuned"},
        {"source": "intel-gaudi"},
    ],
)
def test_rows_that_no_question_stands_for_are_left_out(facts: dict[str, object]) -> None:
    """Doubted rows, unknown loads, waits of bursts and libraries without a server are not used."""
    assert usable(SERVED)
    assert not usable(replace(SERVED, **facts))


def test_machines_that_burst_are_left_out() -> None:
    """A short run on a burstable type says nothing about its hours."""
    steady = replace(ON_CORES, cloud="aws", instance_type="m7a.2xlarge", vcpus=8)
    assert 1 == len(groups_of([steady], MARKET))
    assert 0 == len(groups_of([replace(steady, instance_type="t3.2xlarge")], MARKET))


def test_named_fields_alone_are_changed() -> None:
    """A fitted value goes to its part; everything else stays unchanged."""
    changed = with_parts(Serving(), (Parameter("vllm.host_s", 1.0, 1.0),), np.array([1e-3]))
    assert changed == replace(Serving(), vllm=replace(Serving().vllm, host_s=1e-3))
    for name in (*DEVICES, *HOSTS, *PROCESSORS):
        part, field = name.split(".")
        assert getattr(getattr(Serving(), part), field) > 0


def test_the_two_fits_share_no_coefficient() -> None:
    """Bundled rows and rented instances determine different coefficients, so a fresh clone reproduces the former."""
    assert not {*DEVICES} & {*HOSTS, *PROCESSORS}


def test_rows_alike_are_thinned_evenly_and_always_alike() -> None:
    """Few rows of one model on one processor are kept, over all sizes, independent of their order."""
    many = [replace(ON_CORES, id=f"c-{size}", vcpus=size) for size in range(2, 102)]
    kept = thinned(many)
    assert MOST_ALIKE == len(kept)
    assert {one.id for one in kept} == {one.id for one in thinned(many[::-1])}
    assert max(one.vcpus or 0 for one in kept) > 80
    assert min(one.vcpus or 0 for one in kept) < 20


def test_without_runs_of_rented_instances_their_coefficients_stay() -> None:
    """Without rented instances, their coefficients are neither written nor removed."""
    for empty in (
        on_rented_devices(Evidence(published.measurements(), (), CATALOG, FITTED)),
        on_processors(Evidence((), (), CATALOG, FITTED)),
    ):
        assert {} == empty.files
        assert not empty.residuals
        assert not empty.shipped


def test_figures_stand_under_their_part_of_the_form(problem: ServingProblem, found: Fit) -> None:
    """The fitted values are under the fields of the engine's form."""
    figures = {
        (part, one.name): one.value for part, of_part in figures_by_part(problem, found).items() for one in of_part
    }
    fitted = with_parts(Serving(), problem.parameters, found.values)

    assert fitted.device.offline == figures["device", "offline"]
    assert fitted.sglang.layer == figures["sglang", "layer"]


def test_held_out_rows_are_near(problem: ServingProblem, found: Fit) -> None:
    """Rates and times per token of held-out devices and models meet the target of a quarter."""
    residuals = errors_of(problem, found, CATALOG, "llm_serving")
    assert 3 * len(problem.measurements) == len(residuals)
    for scheme in ("device", "model"):
        for metric, source in (("output_tokens/s", "trtllm"), ("tpot_ms", "aic-silicon"), ("tpot_ms", "neuron")):
            errors = [
                abs(np.expm1(one.log_error))
                for one in residuals
                if (one.scheme, one.metric, one.source) == (scheme, metric, source)
            ]
            assert np.median(errors) <= 0.25, (scheme, source)


def test_a_calibration_gives_its_file_and_residuals() -> None:
    """Two devices of one engine are enough for a calibration that holds out each."""
    rows = [
        replace(SERVED, id=f"{name}-{count}", accelerator=name, concurrency=float(count), value=8.0 + count / 4)
        for name in ("H100-SXM", "A100-80GB")
        for count in (1, 16, 64)
    ]
    calibrated = on_devices(Evidence(rows, (), CATALOG, FITTED))
    assert ["serving"] == list(calibrated.files)
    assert calibrated.shipped
    assert {"device", "model", "source"} == {one.scheme for one in calibrated.residuals}
    assert not any(one.known_device for one in calibrated.residuals if one.scheme == "device")
