"""A loop wrapped so that its throughput is measured: warm-up dropped, devices waited for."""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, TypeVar

from plimsoll.errors import PlimsollError
from plimsoll.measuring.machine import Machine, machine_here
from plimsoll.names import FIELDS_OF_MEASUREMENTS

Batch = TypeVar("Batch")
Samples = float | Callable[[Any], float]

FILE = "measurement.json"
WARM_UP_STEPS = 10
# Devices are waited for once in a while only: after each step it would cost the overlap of processor and device.
SECONDS_BETWEEN_MARKS = 1.0
LEAST_BLOCKS = 2


class Run(Generic[Batch]):
    """A measured run: iterate over it, or use it with ``with`` and call ``step()`` after each step."""

    def __init__(
        self,
        batches: Iterable[Batch],
        samples: Samples,
        said: Mapping[str, Any],
        *,
        warm_up: int = WARM_UP_STEPS,
        steps: int | None = None,
        file: str | Path | None = FILE,
        machine: Callable[[], Machine] = machine_here,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._batches, self._samples, self._said = batches, samples, dict(said)
        self._warm_up, self._steps, self._file = warm_up, steps, file
        self._machine, self._clock = machine, clock
        self._here: Machine | None = None
        self._done, self._total = 0, 0.0
        self._latest: tuple[float, float] | None = None
        # Pairs of time and samples until then, each taken when the devices were idle.
        self._marks: list[tuple[float, float]] = []
        self.document: dict[str, Any] = {}

    @property
    def measurement(self) -> dict[str, Any]:
        """The measurement, as ``workload.measurements`` takes it; empty until the loop has ended."""
        found: dict[str, Any] = self.document.get("measurement", {})
        return found

    def __iter__(self) -> Iterator[Batch]:
        """Yield the batches; a step ends when the next batch is asked for."""
        try:
            for batch in self._batches:
                yield batch
                self.step(batch)
                if self._done == self._steps:
                    break
            self._mark()
        finally:
            self._end()

    def __enter__(self) -> Run[Batch]:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        if kind is None:
            self._mark()
            self._end()

    def step(self, batch: Any = None) -> None:
        """Count a step that has just ended; ``batch`` is what ``samples`` counts where it is a function."""
        self._done += 1
        if self._done < self._warm_up:
            return
        if self._done > self._warm_up:
            self._total += self._samples(batch) if callable(self._samples) else self._samples
        self._latest = (self._clock(), self._total)
        if not self._marks or self._latest[0] - self._marks[-1][0] >= SECONDS_BETWEEN_MARKS:
            self._mark()

    def _mark(self) -> None:
        """Wait until all started work is done, and note the time."""
        if self._latest is None or (self._marks and self._marks[-1][1] == self._total):
            return
        self._here = self._here or self._machine()
        self._here.wait()
        self._marks.append((self._clock(), self._total))

    def _end(self) -> None:
        if self.document:
            return
        if len(self._marks) == 1 and self._latest is not None and self._latest[1] > 0:
            self._marks.append(self._latest)  # a loop left early, before its second mark
        if len(self._marks) < LEAST_BLOCKS or self._here is None:
            sys.stderr.write(
                f"plimsoll: nothing measured: {self._done} steps, of which the first {self._warm_up} are warm-up; "
                "run more steps, or give a smaller warm_up\n"
            )
            return
        self.document = self._described(self._here)
        _report(self.document, self._file, self._here)

    def _described(self, here: Machine) -> dict[str, Any]:
        (begun, _), (ended, samples) = self._marks[0], self._marks[-1]
        samples *= here.processes
        throughput = samples / (ended - begun)
        size = None if callable(self._samples) else self._samples * here.processes / here.devices
        found = {
            "on": here.on,
            "throughput": throughput,
            "batch_size": int(size) if size is not None and size == int(size) else None,
            "accelerator_memory_gib": here.memory_gib(),
            **self._said,
        }
        return {
            "measurement": {name: value for name, value in found.items() if value is not None},
            "tool": "plimsoll.measure",
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "steps": self._done - self._warm_up,
            "warm_up_steps": self._warm_up,
            "seconds": ended - begun,
            "spread": self._spread(here.processes),
            "processes": here.processes,
            "versions": here.versions,
            "memory": here.memory,
            "unseen": here.unseen,
        }

    def _spread(self, processes: int) -> dict[str, float] | None:
        """Throughput of the slowest and the fastest stretch between two marks, and the standard deviation."""
        pairs = zip(self._marks, self._marks[1:], strict=False)
        rates = [processes * (after[1] - before[1]) / (after[0] - before[0]) for before, after in pairs]
        if len(rates) < LEAST_BLOCKS:
            return None
        return {"low": min(rates), "high": max(rates), "deviation": statistics.stdev(rates)}


def measure(
    batches: Iterable[Batch] = (),
    *,
    samples: Samples,
    warm_up: int = WARM_UP_STEPS,
    steps: int | None = None,
    on: Mapping[str, Any] | None = None,
    file: str | Path | None = FILE,
    **said: Any,
) -> Run[Batch]:
    """Wrap a loop's batches, ``for batch in measure(loader, samples=64)``, and save the measurement to ``file``.

    ``samples`` are those of one step of this process, in the unit of the answer (tokens in training of language
    models), or a function of the batch. The first ``warm_up`` steps are dropped. ``steps`` ends the loop after so many.
    ``on`` is the machine, such as ``{"cloud": "aws", "instance_type": "g5.xlarge"}``; without it, what this machine
    tells. ``said`` are more fields of the measurement: ``precision``, ``sequence_length``, ``batch_size``.
    """
    unknown = sorted(said.keys() - FIELDS_OF_MEASUREMENTS)
    if unknown:
        raise TypeError(f"measure() takes no {', '.join(unknown)}; fields: {', '.join(sorted(FIELDS_OF_MEASUREMENTS))}")
    if warm_up < 1:
        raise ValueError("warm_up must be at least 1: the first step prepares the kernels")
    if steps is not None and steps <= warm_up:
        raise ValueError(f"steps must be more than the {warm_up} of warm_up")
    given = said if on is None else {"on": dict(on), **said}
    return Run(batches, samples, given, warm_up=warm_up, steps=steps, file=file)


def _report(document: Mapping[str, Any], file: str | Path | None, here: Machine) -> None:
    """Print the throughput on standard error and save the document; of many processes, only the first does so."""
    if not here.first:
        return
    found, spread = document["measurement"], document["spread"]
    text = f"{found['throughput']:,.5g} a second"
    if spread:
        text += f" ({spread['low']:,.4g} to {spread['high']:,.4g})"
    text += f" over {document['steps']} steps, {document['seconds']:.1f} s"
    if "accelerator_memory_gib" in found:
        text += f"; {found['accelerator_memory_gib']:.2f} GiB a device"
    sys.stderr.write(f"plimsoll: {text}\n")
    if file is None:
        return
    try:
        Path(file).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise PlimsollError(f"{file}: cannot be written: {error.strerror or error}") from error
    sys.stderr.write(f"plimsoll: saved to {file}\n")
