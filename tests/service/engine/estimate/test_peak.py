"""The peak: no estimate computes faster than its device can."""

from __future__ import annotations

import pytest
from tests.service.engine.catalogs import ask, bundled_market

from plimsoll_service.engine.answer import Estimate
from plimsoll_service.engine.workload import Constraints, CustomModel, Dataset, Query, Workload

BACKWARD, PEAKS = 3.0, {"p3.2xlarge": 15.7e12, "p4d.24xlarge": 8 * 19.5e12, "p5.48xlarge": 8 * 67e12}
RNN = CustomModel(name="own", family="rnn", parameters=8e6, forward_flops_per_sample=1.2e9)
MLP = CustomModel(name="own", family="mlp", parameters=1e8, forward_flops_per_sample=2e8)
DECODER = CustomModel(name="own", family="decoder", parameters=1.3e9)


def estimated(workload: Workload, machine: str) -> Estimate:
    query = Query(workload, Constraints(instance_types=(machine,), max_nodes=1, retired=True), "time")
    return ask(query, bundled_market()).recommendations[0].estimate


@pytest.mark.parametrize("machine", PEAKS)
@pytest.mark.parametrize(("model", "passes"), [(RNN, BACKWARD), (MLP, BACKWARD), (RNN, 1.0), (MLP, 1.0)])
def test_a_network_of_the_users_own_stays_below_the_peak(machine: str, model: CustomModel, passes: float) -> None:
    """Its stated operations take at least operations over peak, at the favourable end too."""
    task, data = ("inference", Dataset()) if passes == 1 else ("training", Dataset(samples=5e6, format="memory"))
    workload = Workload(task, "pytorch", model=model, precision="fp32", dataset=data)
    fastest = estimated(workload, machine).throughput.high

    assert fastest * passes * (model.forward_flops_per_sample or 0.0) <= 1.001 * PEAKS[machine]


@pytest.mark.parametrize("machine", PEAKS)
def test_a_recurrent_network_reaches_what_measured_ones_do(machine: str) -> None:
    """Half of the fp32 peak at most in training: its products are small."""
    workload = Workload(
        "training", "pytorch", model=RNN, precision="fp32", dataset=Dataset(samples=5e6, size_bytes=6e9)
    )
    rate = estimated(workload, machine).throughput.value

    assert rate * BACKWARD * 1.2e9 <= 0.52 * 1.001 * PEAKS[machine]


def test_a_language_model_stays_below_the_peak() -> None:
    """The range ends at the peak even without measurements, as in fp32 on Volta."""
    workload = Workload("training", "pytorch", model=DECODER, precision="fp32", tokens=1e9, sequence_length=2048)
    machine = "p3dn.24xlarge"
    fastest = estimated(workload, machine).throughput.high

    assert fastest * 2 * BACKWARD * 1.3e9 <= 1.05 * 8 * PEAKS["p3.2xlarge"]  # a table of words is only read
