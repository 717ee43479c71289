"""Rules by their ids, and what is said of a machine by one of them; what each rule says is data of the caller."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .answer import Note
from .frozen import value


class RuleId(str):
    """The id of a rule; a test compares every one that the code names with the list of rules."""

    __slots__ = ()

    def note(self, text: str) -> Remark:
        """Return a reason or warning that cites this rule."""
        return Remark(self, text)


@value
class Remark:
    """A reason or a warning before its rule's source is named."""

    rule: RuleId
    text: str


def cited(remarks: Iterable[Remark], sources: Mapping[str, str]) -> tuple[Note, ...]:
    """Return the remarks with the sources of their rules, by id."""
    return tuple([Note(one.rule, one.text, sources.get(one.rule, "")) for one in remarks])
