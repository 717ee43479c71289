"""Steps of devices that exchange gradients in data parallel.

Scaling (throughput study, section 5): T_n = T_1 · (1 + h·log2 n) + softplus(t_ar − o·T_1).
Ring all-reduce moves 2·(n−1)/n of the gradients (Patarasuk and Yuan 2009).
"""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.coefficients import Scaling
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.estimate.adapters import adapted, trained_parameters
from plimsoll_service.engine.estimate.requirements import SPREAD_TABLES
from plimsoll_service.engine.hardware import Floats
from plimsoll_service.engine.machines import Machines
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.units import BITS_PER_BYTE


def parallel_step(
    fit: Scaling, machines: Machines, one: Floats, devices: Floats, nodes: Floats, gradient_bytes: Floats
) -> Floats:
    """Seconds of a step on ``devices`` of each of ``nodes`` machines, from that of one device."""
    inside = exchange_inside(fit, machines, devices, gradient_bytes)
    return exchanging_step(fit, one, devices * nodes, inside + exchange_between(fit, machines, nodes, gradient_bytes))


def exchanging_step(fit: Scaling, one: Floats, total: Floats, exchange: Floats) -> Floats:
    """Seconds of a step on ``total`` devices that exchange for so many seconds, partly while they compute."""
    excess = exchange - fit.overlap * one
    width = fit.softness * one
    exposed = width * np.logaddexp(0.0, excess / width)
    grown = one * (1 + fit.step_growth * np.log2(np.maximum(total, 1.0)))
    return np.where(total > 1, grown + exposed, one)


def exchanged_bytes(job: Job, profile: ModelProfile, element_bytes: Floats, batch: Floats, devices: Floats) -> Floats:
    """Gradient bytes of a step of ``batch`` on each of ``devices``; a global batch exchanges once for its passes."""
    fit, together = job.coefficients.scaling, job.workload.global_batch_size
    per_parameter = np.where(element_bytes >= 4, fit.gradient_bytes_fp32, fit.gradient_bytes_half)
    passes = 1.0 if together is None else np.maximum(1.0, together / (batch * devices))
    moved = trained_parameters(job, profile) if adapted(job) else profile.parameters - profile.embedding_parameters
    return per_parameter * moved / passes


def table_bytes(profile: ModelProfile, samples: Floats) -> Floats:
    """Bytes of the table rows that the samples of one machine read, which machines exchange there and back.

    Tables are spread over devices (Naumov et al. 2019, arXiv 1906.00091, section 4.1: all to all, in both passes).
    """
    return samples * (profile.gathered_bytes if profile.architecture == SPREAD_TABLES else 0.0)


def exchange_inside(fit: Scaling, machines: Machines, devices: Floats, gradient_bytes: Floats) -> Floats:
    """Seconds of the all-reduce among the devices of one machine."""
    contention = np.maximum(devices / 2, 1.0) ** fit.pcie_contention
    pcie = machines.pcie_gb_s * fit.pcie / contention
    bus = np.where(machines.link_gb_s > 0, np.fmax(machines.link_gb_s * fit.nvlink, pcie), pcie)
    ring = 2 * (devices - 1) / np.maximum(devices, 1.0)
    return np.where(devices > 1, ring * gradient_bytes / (bus * 1e9), 0.0)


def exchange_between(fit: Scaling, machines: Machines, nodes: Floats, gradient_bytes: Floats) -> Floats:
    """Seconds of the all-reduce among machines over the network; NaN where its speed is unknown."""
    bus = machines.network_gbps / BITS_PER_BYTE * fit.network
    ring = 2 * (nodes - 1) / np.maximum(nodes, 1.0)
    return np.where(nodes > 1, ring * gradient_bytes / (bus * 1e9), 0.0)
