"""A reader of a Hugging Face configuration that collects every fault."""

from __future__ import annotations

from collections.abc import Mapping

from ..faults import Fault

POINTER = "/workload/model/config"
PLACEHOLDER = 1  # goes on in place of a faulty value, so that the other faults are found too


class ConfigReader:
    """A configuration under its several customary key names; every fault is collected in ``faults``."""

    def __init__(self, config: Mapping[str, object], pointer: str = POINTER) -> None:
        self.config = config
        self.pointer = pointer
        self.faults: list[Fault] = []

    def fault(self, key: str, detail: str) -> None:
        """Note a fault of a key."""
        self.faults.append(Fault(f"{self.pointer}/{key}", detail))

    def has(self, *keys: str) -> bool:
        """Whether one of the keys is there with a value."""
        return any(self.config.get(key) is not None for key in keys)

    def required(self, *keys: str, most: int) -> int:
        """A whole number from 1 to ``most`` under the first key that is there; a fault where none is."""
        if not self.has(*keys):
            others = f" (or {', '.join(keys[1:])})" if len(keys) > 1 else ""
            self.fault(keys[0], f"{keys[0]}{others} is missing; copy the model's whole config.json")
            return PLACEHOLDER
        return self.whole(*keys, most=most, default=PLACEHOLDER)

    def whole(self, *keys: str, most: int, default: int, least: int = 1) -> int:
        """A whole number under the first key that is there, else ``default``."""
        for key in keys:
            value = self.config.get(key)
            if value is None:
                continue
            number = _whole(value)
            if number is None or not least <= number <= most:
                self.fault(key, f"{key} must be a whole number from {least} to {most:,}")
                return default if default >= least else least
            return number
        return default

    def flag(self, key: str, default: bool) -> bool:
        """A boolean, or the default where it is missing."""
        value = self.config.get(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            self.fault(key, f"{key} must be true or false")
            return default
        return value

    def word(self, key: str) -> str:
        """A text in lower case, empty where it is missing."""
        value = self.config.get(key)
        if value is not None and not isinstance(value, str):
            self.fault(key, f"{key} must be text")
            return ""
        return (value or "").lower()

    def part(self, key: str) -> ConfigReader:
        """The reader of a nested configuration; it shares the list of faults."""
        value = self.config.get(key)
        inner = {str(name): item for name, item in value.items()} if isinstance(value, Mapping) else {}
        if value is not None and not isinstance(value, Mapping):
            self.fault(key, f"{key} must be an object")
        reader = ConfigReader(inner, f"{self.pointer}/{key}")
        reader.faults = self.faults
        return reader

    def words(self, key: str) -> tuple[str, ...]:
        """A list of texts, empty where it is missing."""
        value = self.config.get(key)
        if value is None:
            return ()
        if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
            self.fault(key, f"{key} must be a list of texts")
            return ()
        return tuple(str(item) for item in value)


def _whole(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if isinstance(value, float) and not value.is_integer():
        return None
    return int(value)
