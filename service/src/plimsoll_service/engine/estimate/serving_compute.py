"""Rates of the matrix products of a served model on accelerators, by the format of its weights (study, section 3)."""

from __future__ import annotations

import numpy as np

from plimsoll_service.engine.estimate.machines import Machines
from plimsoll_service.engine.estimate.serving_model import LLAMA_CPP, Served
from plimsoll_service.engine.hardware import Floats

TERA = 1e12
ROUNDING = 6.0  # how sharply a share of the peak bends to 1: without a corner, which no fit could settle on


def half_peak(machines: Machines) -> Floats:
    """FLOP/s of one device in 16 bits, in fp32 where it has none."""
    half = np.fmax(machines.peak("bf16"), machines.peak("fp16"))
    peak: Floats = np.where(np.isnan(half), machines.peak("fp32"), half) * TERA
    return peak


def product_peak(machines: Machines, precision: str, half_falls_back: bool) -> Floats:
    """FLOP/s of one device; weight-only formats, and 8 bits where a device lacks them, use the 16-bit rate."""
    half = half_peak(machines)
    if precision in ("fp32", "tf32", "fp64"):
        wanted = machines.peak(precision)
        return np.where(np.isnan(wanted), machines.peak("fp32"), wanted) * TERA
    if precision in ("fp8", "fp4"):
        native = machines.peak(precision) * TERA
        return np.where(np.isnan(native), half, native)
    if precision == "bf16" and not half_falls_back:
        return np.where(np.isnan(machines.peak("bf16")), machines.peak("fp32") * TERA, half)
    return half


def compute_rate(model: Served, machines: Machines, peak: Floats) -> Floats:
    """FLOP/s of the products on one device: less of a peak that outgrows the chip's power is realised."""
    fit = model.fit.device
    half = half_peak(machines)
    ratio = np.maximum(fit.power_floor, half / TERA / machines.power_w) / fit.power_reference
    power = np.where(np.isnan(ratio), 1.0, ratio) ** -fit.power_exponent
    if model.engine_name == LLAMA_CPP and model.weight_only:
        byte = machines.peak("int8")
        byte = np.where(np.isnan(byte), half / TERA, byte)
        reference = fit.quantised_reference ** (1 - fit.quantised_exponent)
        quantised: Floats = fit.compute_quantised * byte**fit.quantised_exponent * reference * TERA * power
        return quantised
    share = _share(model) * power
    rate: Floats = share / (1 + share**ROUNDING) ** (1 / ROUNDING) * peak
    return rate


def _share(model: Served) -> float:
    fit = model.fit.device
    if model.weight_only and not model.dequantised:
        return fit.compute_weight_only
    return {"fp4": fit.compute4, "fp8": fit.compute8}.get(model.precision, fit.compute16)
