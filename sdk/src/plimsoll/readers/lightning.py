"""PyTorch Lightning's ``metrics.csv`` (CSVLogger) of a run with the callback ThroughputMonitor."""

from __future__ import annotations

from plimsoll.errors import UnreadableFile
from plimsoll.readers.reading import HARDWARE, Content, Reading, Record, number, stated, whole

TOOL = "PyTorch Lightning"
_TIME, _SAMPLES, _BATCHES = "train/time", "train/samples", "train/batches"
_EACH, _ALL = "train/device/samples_per_sec", "train/samples_per_sec"
LEAST_ROWS = 2


def recognises(content: Content) -> bool:
    """Whether the table is a logger's: ``epoch`` and ``step``, and metrics."""
    return content.table and {"epoch", "step"} <= content.first.keys()


def read(content: Content) -> Reading:
    """Return the measurement after the first logged row; the time before it is warm-up."""
    rows = [row for row in content.records if number(row, _TIME) and number(row, _SAMPLES)]
    if len(rows) < LEAST_ROWS:
        raise UnreadableFile(
            "metrics of PyTorch Lightning without times: add the callback ThroughputMonitor(batch_size_fn=…) to the "
            "Trainer, or wrap the loop by plimsoll.measure"
        )
    seconds, samples, batches = (_grown(rows, name) for name in (_TIME, _SAMPLES, _BATCHES))
    devices = _devices(rows[-1])
    found = stated(
        throughput=devices * samples / seconds if seconds else None,
        batch_size=whole(samples / batches if batches else None),
    )
    unseen = [HARDWARE, "the precision", "the accelerators' memory"]
    unseen.append("the tokens of a sample, where the answer is in tokens/s: give tokens_per_sample")
    return Reading(TOOL, [found], unseen, {"unit": "samples/s", "seconds": seconds, "devices": devices})


def _grown(rows: list[Record], name: str) -> float:
    return (number(rows[-1], name) or 0.0) - (number(rows[0], name) or 0.0)


def _devices(row: Record) -> int:
    """Devices of the run, from the monitor's rates of one device and of all."""
    each, every = number(row, _EACH), number(row, _ALL)
    return max(1, round(every / each)) if each and every else 1
