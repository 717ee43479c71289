"""Rates as printed to samples a second, as the model's profile counts them."""

from __future__ import annotations

from plimsoll_service.evidence.imports.common import Columns
from plimsoll_service.evidence.imports.figures_folder import RawRow

# Printed units in one sample of the profile: target tokens of a segment, mel frames of a clip, audio samples.
UNITS_A_SAMPLE = {
    ("transformer-xl-base", "tokens/s"): 192.0,
    ("tacotron2", "mel_frames/s"): 566.0,
    ("fastpitch", "frames/s"): 566.0,
    ("fastpitch", "mel_frames/s"): 566.0,
    ("waveglow", "audio_samples/s"): 8000.0,
}
MS_A_SECOND = 1e3
US_A_SECOND = 1e6


def set_rate(columns: Columns, raw: RawRow) -> None:
    """Put the metric and the value in; a time a batch becomes a rate, total over the devices."""
    value, unit = float(raw["value"]), raw["metric"]
    columns["metric"] = "samples/s"
    if unit == "ms_per_batch":
        columns["value"] = columns["batch_size"] * MS_A_SECOND / value * columns["device_count"]
    elif unit == "us_per_example":
        columns["value"] = US_A_SECOND / value * columns["device_count"]
    else:
        columns["value"] = value / UNITS_A_SAMPLE.get((columns["model"], unit), 1.0)
