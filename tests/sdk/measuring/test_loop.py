"""A wrapped loop: dropped steps, waits for devices, and the saved file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from plimsoll import load_measurements, measure
from plimsoll.measuring import Run
from plimsoll.measuring.machine import Machine

HARDWARE = {"accelerator": "NVIDIA L4", "count": 2}


@dataclass
class Clock:
    """A clock that only a test moves; ``waits`` are the times of waits for devices."""

    now: float = 0.0
    late: float = 0.0
    waits: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        """Return the time."""
        return self.now

    def wait(self) -> None:
        """Let the device finish."""
        self.now += self.late
        self.waits.append(self.now)


def _run(clock: Clock, batches: int, said: dict[str, Any] | None = None, **options: Any) -> Run[int]:
    machine = Machine(HARDWARE, devices=2, wait=clock.wait, peaks=lambda: {"driver_gib": 21.5})
    settings = {"samples": 8, "warm_up": 2, "file": None, **options}
    samples = settings.pop("samples")
    return Run(range(batches), samples, said or {}, machine=lambda: machine, clock=clock, **settings)


def _worked(run: Run[int], clock: Clock, seconds: Callable[[int], float]) -> dict[str, Any]:
    for place in run:
        clock.now += seconds(place)
    return run.measurement


def test_the_warm_up_is_no_part_of_the_throughput() -> None:
    """The rate comes from steps of a tenth of a second, however slow the warm-up was."""
    clock = Clock()

    found = _worked(_run(clock, 22), clock, lambda place: 30.0 if place < 2 else 0.1)

    throughput = pytest.approx(80.0)
    assert found == {"on": HARDWARE, "throughput": throughput, "batch_size": 4, "accelerator_memory_gib": 21.5}


def test_devices_are_waited_for_once_in_a_while_and_at_the_end() -> None:
    """Devices are waited for after the warm-up, about every second, and at the end."""
    clock = Clock()

    _worked(_run(clock, 42), clock, lambda _: 0.1)

    assert clock.waits == pytest.approx([0.2, 1.2, 2.2, 3.2, 4.2], abs=0.11)


def test_work_that_a_device_still_had_counts() -> None:
    """The wait for a device at the end counts as time of the run."""
    clock = Clock(late=0.5)

    found = _worked(_run(clock, 6), clock, lambda _: 0.125)

    assert found["throughput"] == pytest.approx(4 * 8 / (4 * 0.125 + 0.5))


def test_the_spread_is_of_the_stretches() -> None:
    """The saved circumstances have the slowest and the fastest second between two waits."""
    clock = Clock()
    run = _run(clock, 32)

    _worked(run, clock, lambda place: 0.2 if place > 20 else 0.1)

    spread = run.document["spread"]
    assert (spread["low"], spread["high"]) == (pytest.approx(40.0, rel=0.1), pytest.approx(80.0, rel=0.1))


@pytest.mark.parametrize("left_at", [10, 30])
def test_a_loop_may_be_left(left_at: int) -> None:
    """A break keeps the whole steps up to then."""
    clock = Clock()
    run = _run(clock, 100)

    for place in run:
        if place == left_at:
            break
        clock.now += 0.1

    assert run.measurement["throughput"] == pytest.approx(80.0)


def test_steps_end_the_loop() -> None:
    """An endless loader ends after that number of steps."""
    clock, done = Clock(), 0
    for _ in _run(clock, 1000, steps=12):
        clock.now += 0.1
        done += 1

    assert done == 12


def test_a_function_counts_samples_that_differ() -> None:
    """A function counts batches of different sizes, and no batch size is stated."""
    clock = Clock()

    found = _worked(_run(clock, 12, samples=lambda batch: batch), clock, lambda _: 0.1)

    assert found["throughput"] == pytest.approx(sum(range(2, 12)) / 1.0)
    assert "batch_size" not in found


def test_the_form_with_with_counts_steps_that_the_loop_names() -> None:
    """`step()` ends a step if the loop is not over batches."""
    clock = Clock()
    with _run(clock, 0) as run:
        for _ in range(12):
            clock.now += 0.1
            run.step()

    assert run.measurement["throughput"] == pytest.approx(80.0)


def test_a_loop_that_is_too_short_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is saved for a loop that ends in its warm-up."""
    clock = Clock()
    run = _run(clock, 2)

    _worked(run, clock, lambda _: 0.1)

    assert run.document == {}
    assert "nothing measured: 2 steps" in capsys.readouterr().err


def test_what_is_saved_is_a_measurement_with_its_circumstances(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file of a real run reads back as measured, with versions, warm-up and date."""
    file = tmp_path / "run.json"

    for _ in measure(_loader(40), samples=64, file=file, precision="fp32", on={"cloud": "aws", "instance_type": "x"}):
        pass

    saved = json.loads(file.read_text())
    assert load_measurements(file) == [saved["measurement"]]
    assert saved["measurement"].keys() == {"on", "throughput", "batch_size", "precision"}
    assert (saved["steps"], saved["warm_up_steps"]) == (30, 10)
    assert {"python", "plimsoll"} <= saved["versions"].keys()
    assert str(file) in capsys.readouterr().err


def _loader(count: int) -> Iterator[int]:
    yield from range(count)


@pytest.mark.parametrize(
    ("options", "error", "part"),
    [
        ({"batchsize": 3}, TypeError, "takes no batchsize"),
        ({"warm_up": 0}, ValueError, "at least 1"),
        ({"steps": 10}, ValueError, "more than the 10"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], error: type[Exception], part: str) -> None:
    """A mistake is reported before the loop runs."""
    with pytest.raises(error, match=part):
        measure([], samples=1, **options)
