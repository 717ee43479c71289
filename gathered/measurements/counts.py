"""Machines of a run, and the rate of a printed figure."""

from __future__ import annotations

from plimsoll_service.evidence.imports.common import Columns
from plimsoll_service.evidence.imports.figures import RawRow

GPUS_A_MACHINE = 8  # of the servers that these sources run on, unless a row says otherwise


def nodes(columns: Columns, devices_a_machine: int = GPUS_A_MACHINE) -> None:
    """Fill in the number of machines with so many devices each."""
    columns["node_count"] = max(1, columns["device_count"] // devices_a_machine)


# Printed units in one sample of the row: target tokens of a segment, mel frames of a clip, audio samples.
UNITS_A_SAMPLE = {
    ("transformer-xl-base", "tokens/s"): 192.0,
    ("tacotron2", "mel_frames/s"): 566.0,
    ("fastpitch", "frames/s"): 566.0,
    ("fastpitch", "mel_frames/s"): 566.0,
    ("waveglow", "audio_samples/s"): 8000.0,
    ("gnmt", "tokens/s"): 50.0,  # source and target tokens, both counted by the script's log
    ("transformer-xl-large", "tokens/s"): 256.0,
}
MS_A_SECOND = 1e3
US_A_SECOND = 1e6


def set_rate(columns: Columns, raw: RawRow) -> None:
    """Fill in metric and value; a time per batch becomes a rate over all devices."""
    value, unit = float(raw["value"]), raw["metric"]
    columns["metric"] = "samples/s"
    if unit == "ms_per_batch":
        columns["value"] = columns["batch_size"] * MS_A_SECOND / value * columns["device_count"]
    elif unit == "us_per_example":
        columns["value"] = US_A_SECOND / value * columns["device_count"]
    else:
        columns["value"] = value / UNITS_A_SAMPLE.get((columns["model"], unit), 1.0)
