"""Faults of an input, each with its JSON pointer, and the refusal that carries them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One fault of the input: a JSON pointer and what to do about it."""

    pointer: str
    detail: str


class Refused(Exception):
    """An input that cannot be answered, with all of its faults."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("; ".join(f"{fault.pointer}: {fault.detail}" for fault in faults))
        self.faults = faults
