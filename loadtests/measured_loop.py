"""Difference between `plimsoll.measure` and a stop watch, in a PyTorch loop on this machine's processor.

Needs torch, which the tests' environment lacks: `pip install torch`. The stop watch runs in the same loop, so that both
see the same load of the machine; loops without `measure` take turns with it and tell what it costs.

    python loadtests/measured_loop.py [ROUNDS]
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator

import torch

from plimsoll import measure

BATCH, WARM_UP, STEPS = 16, 5, 60


def training() -> Callable[[torch.Tensor], None]:
    """A step of training of a small convolutional network."""
    network = torch.nn.Sequential(
        torch.nn.Conv2d(3, 32, 3, stride=2), torch.nn.ReLU(), torch.nn.Conv2d(32, 64, 3, stride=2), torch.nn.ReLU(),
        torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(64, 10),
    )  # fmt: skip
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)

    def step(images: torch.Tensor) -> None:
        optimizer.zero_grad()
        network(images).square().mean().backward()
        optimizer.step()

    return step


def loader() -> Iterator[torch.Tensor]:
    """Batches that are made on request."""
    for _ in range(STEPS):
        yield torch.randn(BATCH, 3, 96, 96)


def measured() -> tuple[float, float, float]:
    """Samples per second by `measure` and by a clock in the same loop, and the loop's processor seconds."""
    step, run = training(), measure(loader(), samples=BATCH, warm_up=WARM_UP, file=None)
    begun = worked = 0.0
    for place, images in enumerate(run):
        if place == WARM_UP:
            begun, worked = time.perf_counter(), time.process_time()
        step(images)
        if place == STEPS - 1:
            ended, worked = time.perf_counter(), time.process_time() - worked
    return float(run.measurement["throughput"]), BATCH * (STEPS - WARM_UP) / (ended - begun), worked


def plain() -> float:
    """Processor seconds of the same loop without `measure`."""
    step, begun = training(), 0.0
    for place, images in enumerate(loader()):
        if place == WARM_UP:
            begun = time.process_time()
        step(images)
    return time.process_time() - begun


def main(rounds: int) -> None:
    """Print both rates for each round, then the cost of measuring, by the medians of the processor's seconds."""
    costs, bare = [], []
    for _ in range(rounds):
        said, timed, cost = measured()
        costs.append(cost)
        bare.append(plain())
        print(f"measure {said:8.2f}   stop watch {timed:8.2f} samples/s   {said / timed - 1:+.2%}")
    ratio = statistics.median(costs) / statistics.median(bare) - 1
    print(f"processor time with measure, against without it: {ratio:+.1%}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
