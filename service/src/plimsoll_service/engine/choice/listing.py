"""What an answer says of an offer whatever the work is, kept for the next answer under the same terms."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, NamedTuple, TypeVar

from plimsoll_service.engine.answer import AcceleratorChoice, RegionPrice
from plimsoll_service.engine.choice.nameplate import Nameplate
from plimsoll_service.engine.quantities import Price

Said = TypeVar("Said")
MOST_SAID = 1 << 10  # offers under the same terms; a kilobyte each


class Listing(NamedTuple):
    """Where a machine is rented, as what, with which accelerators and at what price; of one's own with its label."""

    cloud: str
    region: str
    instance_type: str
    label: str | None
    accelerator: AcceleratorChoice | None
    price: Price


class Memory(Generic[Said]):
    """What was said of so many things at most; threads may share it, as what two of them say of one is the same."""

    def __init__(self) -> None:
        self._said: dict[Hashable, Said] = {}

    def of(self, key: Hashable, say: Callable[[], Said]) -> Said:
        """What was said of the key before, else what ``say`` says."""
        said = self._said.get(key)
        if said is None:
            if len(self._said) >= MOST_SAID:
                self._said.clear()
            said = self._said[key] = say()
        return said


class Memories:
    """Of offers under the same terms, of where else they are had, and of the machines that they are for."""

    def __init__(self) -> None:
        self.listings = Memory[Listing]()
        self.elsewhere = Memory[tuple[RegionPrice, ...]]()
        self.nameplates = Memory[Nameplate]()
