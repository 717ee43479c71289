"""When a call is sent again and after how long. All calls of this package only ask, so each may be sent twice.

The wait is "full jitter" (AWS Architecture Blog, Exponential Backoff And Jitter, 2015): random between 0 and a bound
that doubles, so that clients refused together do not come back together.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from plimsoll.config import Retry

RETRIED_STATUSES = frozenset({429, 500, 502, 503, 504})
# Further doublings would leave any cap behind, and in the end the range of a float.
_MOST_DOUBLINGS = 64


def wait_seconds(policy: Retry, sent: int, retry_after: float | None, jitter: float) -> float | None:
    """Seconds before the call goes out again after ``sent`` times, or ``None``: give up. ``jitter`` is in [0, 1)."""
    if sent >= policy.attempts or (retry_after or 0.0) > policy.longest_retry_after_seconds:
        return None
    bound = min(policy.cap_seconds, policy.base_seconds * 2.0 ** min(sent - 1, _MOST_DOUBLINGS))
    return (retry_after or 0.0) + jitter * bound


def retry_after_seconds(header: str | None, now: datetime) -> float | None:
    """The seconds that a ``Retry-After`` asks for, as a number or an HTTP date; ``None`` where it says neither."""
    if header is None:
        return None
    # OverflowError: a number or a year that no clock holds asks for a wait without end.
    try:
        return float(max(0, int(header)))
    except OverflowError:
        return math.inf
    except ValueError:
        pass
    try:
        then = parsedate_to_datetime(header)
    except OverflowError:
        return math.inf
    except ValueError:
        return None
    # "-0000" in a date parses as naive, and means UTC.
    aware = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max(0.0, (aware - now).total_seconds())
