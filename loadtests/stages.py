"""Load in stages: `locust -f loadtests/locustfile.py,loadtests/stages.py --stages spike --minutes 3`."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import dataclass

from locust import LoadTestShape, events


@dataclass(frozen=True)
class Stage:
    """A number of users, reached at a number of new ones a second, until this share of the run is over."""

    until: float
    users: int
    users_per_second: float


STAGES = {
    # As on any day.
    "steady": (Stage(1.0, users=8, users_per_second=4),),
    # Ten times as many at once, and whether the service is itself again afterwards.
    "spike": (Stage(0.4, 4, 4), Stage(0.6, 40, 40), Stage(1.0, 4, 40)),
    # As steady, for so long that whatever grows is seen to: `soak.py` looks at the memory meanwhile.
    "soak": (Stage(1.0, users=8, users_per_second=1),),
    # More and more, to see where latency bends.
    "steps": (Stage(0.15, 2, 2), Stage(0.4, 8, 4), Stage(0.65, 16, 8), Stage(0.9, 32, 16), Stage(1.0, 4, 16)),
}
LONGEST_MINUTES = 60.0


@events.init_command_line_parser.add_listener
def add_options(parser: ArgumentParser) -> None:
    """Add the options for the stages and for the duration of all of them."""
    parser.add_argument("--stages", choices=list(STAGES), default="steady", help="how many users there are when")
    parser.add_argument("--minutes", type=float, default=2.0, help=f"of the whole run, up to {LONGEST_MINUTES:.0f}")


class Stages(LoadTestShape):
    """The requested stages, one after the other; the test ends with the last."""

    def tick(self) -> tuple[int, float] | None:
        """The number of users to have now and how fast to get there, or None to stop."""
        asked = self.runner.environment.parsed_options
        share = self.get_run_time() / (60 * min(asked.minutes, LONGEST_MINUTES))
        for stage in STAGES[asked.stages]:
            if share < stage.until:
                return stage.users, stage.users_per_second
        return None
