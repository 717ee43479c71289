"""API keys: creation, stored facts and verification."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from ...settings import RateLimit

SIZE, READ, METRICS = "size", "read", "metrics"
SCOPES = {
    SIZE: "recommendations, estimates, comparisons and batches",
    READ: "catalog, prices, rules and evidence",
    METRICS: "Prometheus metrics",
}
ID_BYTES = 6  # enough for a few hundred keys without collisions
SECRET_BYTES = 32
# Secret scanners find committed keys by this fixed shape.
SHAPE = re.compile(rf"plm_([0-9a-f]{{{2 * ID_BYTES}}})_[0-9a-f]{{{2 * SECRET_BYTES}}}", re.ASCII)


@dataclass(frozen=True)
class ApiKey:
    """The stored facts of a key, without its secret."""

    id: str
    name: str
    scopes: frozenset[str]
    sha256: str
    created: datetime
    expires: datetime | None = None
    rate: RateLimit | None = None

    def expired(self, now: datetime) -> bool:
        """Whether the key has expired."""
        return self.expires is not None and now >= self.expires


def minted(
    name: str, scopes: frozenset[str], *, expires: datetime | None = None, rate: RateLimit | None = None
) -> tuple[str, ApiKey]:
    """A new key in clear text, which is shown once, and its stored facts."""
    key_id = secrets.token_hex(ID_BYTES)
    text = f"plm_{key_id}_{secrets.token_hex(SECRET_BYTES)}"
    created = datetime.now(UTC).replace(microsecond=0)
    return text, ApiKey(key_id, name, scopes, digest(text), created, expires, rate)


def masked(text: str) -> str:
    """The text without secrets of keys, which a caller may have put into a path."""
    return SHAPE.sub(r"plm_\1_…", text)


def claimed(shown: str) -> str | None:
    """The id that a key of the right shape states, which nobody has proven."""
    shape = SHAPE.fullmatch(shown)
    return shape[1] if shape else None


def digest(key: str) -> str:
    """SHA-256 of a whole key; 256 random bits need no slow hash."""
    return hashlib.sha256(key.encode()).hexdigest()


# Compared with unknown keys, so that they take as long as a wrong secret of a known key.
_NOBODYS = digest("")


def holder(keys: Mapping[str, ApiKey], shown: str) -> ApiKey | None:
    """The key that matches, by a comparison in constant time for known and unknown keys."""
    shape = SHAPE.fullmatch(shown)
    known = keys.get(shape[1]) if shape else None
    same = hmac.compare_digest(digest(shown), known.sha256 if known else _NOBODYS)
    return known if same else None
