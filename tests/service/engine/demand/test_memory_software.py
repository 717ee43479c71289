"""Memory that a release keeps: early PyTorch is eager and casts everything, later ones keep less."""

from __future__ import annotations

import pytest
from tests.service.fitted import job_of

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.demand.software import MemorySoftware, memory_software
from plimsoll_service.engine.estimate.requirements import kappa_of
from plimsoll_service.engine.workload import Query, Workload


def software(
    model: str, framework: str | None = None, version: str | None = None, tuning: str | None = None
) -> tuple[Job, MemorySoftware]:
    job = job_of(
        Query(Workload("training", model=model, framework=framework, framework_version=version, tuning=tuning))
    )
    return job, memory_software(job)


@pytest.mark.parametrize(
    ("version", "eager", "casts_all", "lean"),
    [("1.4.0a0+a5b4d78", True, True, False), ("1.7", False, True, False), ("1.10", False, False, False),
     ("1.13", False, False, True), ("2.4", False, False, True)],
)  # fmt: skip
def test_a_release_of_pytorch_says_what_is_kept(version: str, eager: bool, casts_all: bool, lean: bool) -> None:
    """A release of PyTorch is compared by number: 1.10 is later than 1.9."""
    _, found = software("bert-large", "pytorch", version)
    assert found == MemorySoftware(eager, casts_all, lean, adaptive=False)


@pytest.mark.parametrize(("framework", "version"), [(None, None), ("pytorch", None), ("tensorflow", "1.15")])
def test_anything_else_is_as_today(framework: str | None, version: str | None) -> None:
    """Without a release, or with another framework, today's memory counts."""
    assert software("bert-large", framework, version)[1] == MemorySoftware(False, False, True, adaptive=False)


@pytest.mark.parametrize(
    ("model", "version", "tuning"), [("bert-large", "1.4", None), ("waveglow", "1.9", None)]
)  # fmt: skip
def test_early_releases_keep_more(model: str, version: str, tuning: str | None) -> None:
    """Unfused encoders and one-dimensional convolutions take more a stored element."""
    job, early = software(model, "pytorch", version, tuning)
    _, late = software(model, "pytorch", "2.4", tuning)
    assert job.profile is not None
    fit = job.coefficients.memory
    assert kappa_of(fit, job.profile, early) > kappa_of(fit, job.profile, late)


def test_vendors_scripts_take_the_adaptive_softmax() -> None:
    """Transformer-XL's vocabulary costs them less."""
    job, stock = software("transformer-xl-base", "pytorch", "1.6")
    _, tuned = software("transformer-xl-base", "pytorch", "1.6", "tuned")
    assert job.profile is not None
    assert kappa_of(job.coefficients.memory, job.profile, tuned) < kappa_of(job.coefficients.memory, job.profile, stock)
