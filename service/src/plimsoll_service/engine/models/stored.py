"""Weights as they are stored: what the ending of a model's name says, and which precision each format has."""

from __future__ import annotations

import re
from typing import NamedTuple

AWQ, GPTQ, BITSANDBYTES, FP8, INT8, MXFP4, GGUF, NONE = (
    "awq", "gptq", "bitsandbytes", "fp8", "int8", "mxfp4", "gguf", "none",
)  # fmt: skip
HALF_BITS = ("mixed", "fp16", "bf16", "fp32", "tf32", "fp64")
# Precisions that each format may have, the usual one first.
PRECISIONS_OF = {
    NONE: ("bf16", *HALF_BITS),
    AWQ: ("int4",),
    GPTQ: ("int4", "int8"),
    BITSANDBYTES: ("int4", "int8"),
    FP8: ("fp8",),
    INT8: ("int8",),
    MXFP4: ("fp4",),
    GGUF: ("int4", "int8", "fp4", "bf16", "fp16"),
}
# Formats that keep the token tables in 16 bits; a GGUF file's average counts them.
TABLES_APART = (AWQ, GPTQ, BITSANDBYTES, FP8, INT8, MXFP4)


class Stored(NamedTuple):
    """How weights are stored: the format, empty where the contract has no word for it, and the precision."""

    quantization: str
    precision: str


# Sizes of GGUF files, as Q4_K_M, IQ4_XS, Q8_0 or UD-Q4_K_XL, before or after the word itself.
_GGUF = r"(?:ud[-_])?i?q{}(?:_(?:k|nl|[0-8]|x*[sml]))*(?:[-_ .]gguf)?"
# Endings of names, the longer ones first.
_ENDINGS = (
    (r"gptq[-_ .]?(?:int[-_]?)?8(?:bit)?", Stored(GPTQ, "int8")),
    (r"gptq(?:[-_ .](?:int[-_]?)?4(?:[-_]?bit)?)?", Stored(GPTQ, "int4")),
    (r"awq(?:[-_ .](?:int[-_]?)?4(?:[-_]?bit)?)?", Stored(AWQ, "int4")),
    (r"(?:bnb|bitsandbytes)[-_ .]?8bit", Stored(BITSANDBYTES, "int8")),
    (r"(?:bnb|bitsandbytes)(?:[-_ .]?4bit)?", Stored(BITSANDBYTES, "int4")),
    (_GGUF.format("[234]"), Stored(GGUF, "int4")),
    (_GGUF.format("[568]"), Stored(GGUF, "int8")),  # of 5 and 6 bits the next larger size that the estimates know
    (r"bf16[-_ .]gguf", Stored(GGUF, "bf16")),
    (r"(?:fp|f)16[-_ .]gguf", Stored(GGUF, "fp16")),
    (r"gguf", Stored(GGUF, "int4")),
    (r"mxfp4", Stored(MXFP4, "fp4")),
    (r"(?:nv)?fp4", Stored("", "fp4")),
    (r"fp8(?:[-_]dynamic)?", Stored(FP8, "fp8")),
    (r"w4a16", Stored(GPTQ, "int4")),
    (r"int8|w8a8", Stored(INT8, "int8")),
    (r"int4", Stored("", "int4")),
    (r"bf16", Stored(NONE, "bf16")),
    (r"nf4", Stored(BITSANDBYTES, "int4")),
    (r"4[-_]?bit", Stored("", "int4")),
    (r"8[-_]?bit", Stored("", "int8")),
)
_SAID = tuple((re.compile(rf"[-_ .:/](?:{ending})$", re.IGNORECASE), what) for ending, what in _ENDINGS)


def said_by(name: object) -> Stored | None:
    """How the weights of that name are stored, by its ending; ``None`` where it does not say."""
    if not isinstance(name, str):
        return None
    return next((what for ending, what in _SAID if ending.search(name.strip())), None)


def agrees(quantization: str, precision: str) -> bool:
    """Whether weights in that format have that precision."""
    return precision in PRECISIONS_OF[quantization]
