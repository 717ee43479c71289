"""Load in stages, for finding where latency bends: `locust -f loadtests/locustfile.py,loadtests/stages.py`."""

from __future__ import annotations

from dataclasses import dataclass

from locust import LoadTestShape


@dataclass(frozen=True)
class Stage:
    """So many users, reached at so many new ones a second, until so many seconds after the start."""

    until_seconds: int
    users: int
    users_per_second: float


STAGES = (
    Stage(until_seconds=20, users=2, users_per_second=2),
    Stage(until_seconds=50, users=8, users_per_second=4),
    Stage(until_seconds=80, users=16, users_per_second=8),
    Stage(until_seconds=110, users=32, users_per_second=16),
    Stage(until_seconds=130, users=4, users_per_second=16),
)


class Stages(LoadTestShape):
    """The stages above, one after the other; the test ends with the last."""

    def tick(self) -> tuple[int, float] | None:
        """The number of users to have now and how fast to get there, or None to stop."""
        elapsed = self.get_run_time()
        for stage in STAGES:
            if elapsed < stage.until_seconds:
                return stage.users, stage.users_per_second
        return None
