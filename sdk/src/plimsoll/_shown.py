"""What every answer can do for whoever looks at it."""

from __future__ import annotations

from typing import Any


class Shown:
    """A result that prints in few words, as a table in notebooks, and becomes a data frame.

    What writes is loaded when it is first used: most programs only read the figures.
    """

    def __str__(self) -> str:
        from plimsoll._words import text_of

        return text_of(self)

    def _repr_html_(self) -> str:
        from plimsoll._notebook import html_of

        return html_of(self)

    def to_dataframe(self) -> Any:
        """A ``pandas.DataFrame`` with a row a machine; raises ``NotInstalled`` without pandas."""
        from plimsoll.frames import to_dataframe

        return to_dataframe(self)
