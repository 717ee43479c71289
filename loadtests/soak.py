"""Half an hour of mixed load to test memory growth: the service under gunicorn, loaded and checked by locust.

The unshared memory (USS) of every worker is read every ten seconds. After the first minutes, in which caches fill, it
must not grow; no request may fail, and no worker may be replaced. The status is 1 where one of these does not hold.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from running import HERE, LOOPBACK, Server, environment, service

MEGABYTE = 1_000_000
SAMPLE_SECONDS = 10.0
MOST_MINUTES = 60.0
# The allocator takes and returns a megabyte or two between one sample and the next; a leak of 100 bytes a request
# would come to more in half an hour.
MOST_GROWTH_MB = 2.0
# Growth is the median of the last such part of what counts, less that of the first.
PART = 0.25


def main() -> int:
    """Load, sample and judge."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--minutes", type=float, default=30.0, help=f"up to {MOST_MINUTES:.0f}")
    options.add_argument("--warm-up", type=float, default=5.0, help="minutes that do not count")
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--report", type=Path, default=Path("soak.html"), help="locust's report")
    asked = options.parse_args()
    minutes = min(asked.minutes, MOST_MINUTES)
    if not 0 <= asked.warm_up < minutes:
        options.error("the warm-up must be shorter than the run")
    with service(asked.workers) as server:
        first = [worker.pid for worker in server.workers()]
        samples, failed = loaded(server, minutes, asked.report)
        same = first == [worker.pid for worker in server.workers()]
    grown = growth_of(samples, int(asked.warm_up * 60 / SAMPLE_SECONDS))
    print(f"{minutes:.0f} min: memory after {asked.warm_up:.0f} min grew by {grown:+.1f} MB a worker, ", end="")
    print(f"at most {MOST_GROWTH_MB} are allowed; errors: {'some' if failed else 'none'}; ", end="")
    print(f"workers replaced: {'none' if same else 'some'}")
    return int(failed or not same or grown > MOST_GROWTH_MB)


def loaded(server: Server, minutes: float, report: Path) -> tuple[list[float], bool]:
    """Megabytes per worker, sample by sample, until the load ends; and whether any request failed."""
    samples, load = [], subprocess.Popen(command(server.port, minutes, report), env=environment({}))
    while load.poll() is None:
        memories = [worker.memory_full_info().uss / MEGABYTE for worker in server.workers()]
        samples.append(statistics.mean(memories))
        print(f"{len(samples) * SAMPLE_SECONDS / 60:6.1f} min  " + "  ".join(f"{used:6.1f} MB" for used in memories))
        time.sleep(SAMPLE_SECONDS)
    return samples, load.returncode != 0


def command(port: int, minutes: float, report: Path) -> list[str]:
    """Command of locust, whose status is 1 if an answer was wrong or missing."""
    return [
        sys.executable, "-m", "locust", "--locustfile", f"{HERE / 'locustfile.py'},{HERE / 'stages.py'}",
        "--headless", "--only-summary", "--stages", "soak", "--minutes", str(minutes), "--exit-code-on-error", "1",
        "--host", f"http://{LOOPBACK}:{port}", "--html", str(report), "--loglevel", "WARNING",
    ]  # fmt: skip


def growth_of(samples: Sequence[float], warm_up: int) -> float:
    """Megabytes by which the last counted samples exceed the first of them."""
    counted = samples[warm_up:]
    part = max(1, int(len(counted) * PART))
    return statistics.median(counted[-part:]) - statistics.median(counted[:part])


if __name__ == "__main__":
    sys.exit(main())
