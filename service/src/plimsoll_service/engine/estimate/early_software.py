"""What TensorFlow and Keras of 2017 did and later releases do not: it comes with the version, not the machine."""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.hardware import Floats

FRAMEWORKS = ("tensorflow", "keras")
MENDED = 2018.0  # releases from this year on share work among threads otherwise
# Threads that wait for each other: the quadratic term of the universal scalability law (Gunther 1993), at which 32
# cores (64 vCPUs) do no more than 16 (S2-10): 1/16 + 16/c² = 1/32 + 32/c² at 22.6; networks of convolutions lost a
# little more (S2-05).
COHERENCY_CORES = 21.0
# Keras's LSTM at ``implementation=0``, one direction after the other: over twice any processor's time (S2-08), while
# the formula has the K80 at 0.7 of the processors' time.
LOOPED_MODELS = ("bilstm",)
LOOP_PENALTY = 3.5


def early(job: Job) -> bool:
    """Whether the job trains with such a release."""
    year = job.software_year
    return job.training and job.workload.framework in FRAMEWORKS and year is not None and year < MENDED


def device_tuning(job: Job) -> str | None:
    """The tuning that counts on a device: a build of that time compiled for a processor did nothing there (S2-02)."""
    return "stock" if early(job) else job.workload.tuning


def thread_waiting(job: Job, cores: Floats) -> Floats:
    """What waiting adds to the compute of one core's share, for a team of so many cores."""
    waiting: Floats = (cores / COHERENCY_CORES) ** 2 if early(job) else np.zeros_like(cores)
    return waiting


def looped(job: Job) -> bool:
    """Whether a device runs the network's steps one by one, both directions in turn."""
    return early(job) and job.profile is not None and job.profile.name in LOOPED_MODELS


def loop_factor(job: Job, machines: Machines) -> Floats | float:
    """What a step takes longer on a device."""
    return np.where(machines.has_accelerator(), LOOP_PENALTY, 1.0) if looped(job) else 1.0
