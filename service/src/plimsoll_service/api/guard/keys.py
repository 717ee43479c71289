"""API keys: how one is made, what is kept of it, and whether what a caller shows is one."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from ...settings import Rate

SIZE, READ, METRICS = "size", "read", "metrics"
SCOPES = {
    SIZE: "recommendations, estimates, comparisons and batches",
    READ: "catalog, prices, rules and evidence",
    METRICS: "Prometheus metrics",
}
ID_BYTES = 6  # of an installation's few hundred keys no two are alike by chance
SECRET_BYTES = 32
# A fixed shape, by which scanners find a key that was committed or posted.
SHAPE = re.compile(rf"plm_([0-9a-f]{{{2 * ID_BYTES}}})_[0-9a-f]{{{2 * SECRET_BYTES}}}", re.ASCII)


@dataclass(frozen=True)
class ApiKey:
    """What is known of a key: everything but its secret."""

    id: str
    name: str
    scopes: frozenset[str]
    sha256: str
    created: datetime
    expires: datetime | None = None
    rate: Rate | None = None

    def expired(self, now: datetime) -> bool:
        """Whether its time is over."""
        return self.expires is not None and now >= self.expires


def minted(
    name: str, scopes: frozenset[str], *, expires: datetime | None = None, rate: Rate | None = None
) -> tuple[str, ApiKey]:
    """A new key as its holder gets it, once, and what is kept of it."""
    key_id = secrets.token_hex(ID_BYTES)
    text = f"plm_{key_id}_{secrets.token_hex(SECRET_BYTES)}"
    created = datetime.now(UTC).replace(microsecond=0)
    return text, ApiKey(key_id, name, scopes, digest(text), created, expires, rate)


def masked(text: str) -> str:
    """The text without the secrets of keys: somebody may have put one where it does not belong, such as into a path."""
    return SHAPE.sub(r"plm_\1_…", text)


def digest(key: str) -> str:
    """SHA-256 of a whole key: of 256 random bits there is nothing to guess, so that slowness would guard nothing."""
    return hashlib.sha256(key.encode()).hexdigest()


# What an unknown key is compared with, so that it takes as long as a known one's wrong secret.
_NOBODYS = digest("")


def holder(keys: Mapping[str, ApiKey], shown: str) -> ApiKey | None:
    """Whose key it is; an unknown one is told by the same comparison, in constant time, as a known one."""
    shape = SHAPE.fullmatch(shown)
    known = keys.get(shape[1]) if shape else None
    same = hmac.compare_digest(digest(shown), known.sha256 if known else _NOBODYS)
    return known if same else None
