"""``NAME=value`` lines that a POSIX shell can ``eval`` safely."""

from __future__ import annotations

import shlex

from ...engine.answer import Answer
from ...engine.hardware import Catalog
from .facts import facts
from .format import Format
from .rows import cell


def _lines(answer: Answer, _: Catalog) -> str:
    # Without a recommendation the names are set to nothing, so that an earlier call's values do not live on.
    found = {"recommendations": len(answer.recommendations), **facts(answer)}
    return "".join(f"{name.upper()}={shlex.quote(cell(value))}\n" for name, value in found.items())


RECOMMENDATIONS = Format("env", "text/x-shellscript", _lines)
