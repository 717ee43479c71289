"""``NAME=value`` lines that a POSIX shell can ``eval`` safely."""

from __future__ import annotations

import shlex

from ...engine.answer import Answer
from ...engine.hardware import Catalog
from .facts import facts
from .format import Format
from .rows import cell

# No shell's variable holds it: some end the value there, others drop it with a complaint.
_NUL = "\0"


def _lines(answer: Answer, _: Catalog) -> str:
    # Without a recommendation the names are set to nothing, so that an earlier call's values do not live on.
    found = {"recommendations": len(answer.recommendations), **facts(answer)}
    return "".join(f"{name.upper()}={_quoted(value)}\n" for name, value in found.items())


def _quoted(value: object) -> str:
    return shlex.quote(cell(value).replace(_NUL, ""))


RECOMMENDATIONS = Format("env", "text/x-shellscript", _lines)
