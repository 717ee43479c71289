"""Weights as they are stored: what the ending of a model's name says, and which precision each format has."""

from __future__ import annotations

import re
from collections.abc import Mapping
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


class Stored(NamedTuple):
    """How weights are stored: the format, empty where the contract has no word for it, and the precision."""

    quantization: str
    precision: str
    bits: float = 0.0  # of a weight in the mean, scales counted; 0 where they are the usual ones of the precision


# Sizes of GGUF files, as Q4_K_M, IQ4_XS, Q8_0 or UD-Q4_K_XL, before or after the word itself.
_GGUF = r"(?:ud[-_])?(?P<size>i?q{}(?:_(?:k|nl|[0-8]|x*[sml]))*)(?:[-_ .]gguf)?"
# Bits of a weight: ggml-org/llama.cpp@311c2c9f, tools/quantize/README.md, Llama-3.1-8B; Q3_K_M: earlier, Llama 2 7B.
GGUF_BITS = {
    "iq1_s": 2.0042, "iq1_m": 2.1460, "iq2_xxs": 2.3824, "iq2_xs": 2.5882, "iq2_s": 2.7403, "iq2_m": 2.9294,
    "iq3_xxs": 3.2548, "iq3_xs": 3.4977, "iq3_s": 3.6606, "iq3_m": 3.7628, "iq4_xs": 4.4597, "iq4_nl": 4.6818,
    "q2_k_s": 2.9697, "q2_k": 3.1593, "q3_k_s": 3.6429, "q3_k_m": 3.91, "q3_k_l": 4.2979, "q4_k_s": 4.6672,
    "q5_k_s": 5.5704, "q5_k_m": 5.7036, "q6_k": 6.5633,
}  # fmt: skip
# ExLlamaV2's and V3's files mix 2 to 8 bits to any mean, which the name says: 4.65bpw-h6-exl2, exl2-4.0bpw. Their
# method and kernels follow GPTQ's (turboderp-org/exllamav2, README.md).
_BPW = r"(?P<bits>[2-8](?:[._]\d+)?)[-_ .]?bpw(?:[-_ .]h\d)?"
_EXL = rf"(?:{_BPW}[-_ .])?exl[23]", rf"exl[23][-_ .]{_BPW}"
MOST_OF_FOUR = 5.0  # bits up to which weights run as those of 4 bits do
# Endings of names, the longer ones first.
_ENDINGS = (
    (r"gptq[-_ .]?(?:int[-_]?)?8(?:bit)?", Stored(GPTQ, "int8")),
    (r"gptq(?:[-_ .](?:int[-_]?)?4(?:[-_]?bit)?)?", Stored(GPTQ, "int4")),
    (r"awq(?:[-_ .](?:int[-_]?)?4(?:[-_]?bit)?)?", Stored(AWQ, "int4")),
    (r"(?:bnb|bitsandbytes)[-_ .]?8bit", Stored(BITSANDBYTES, "int8")),
    (r"(?:bnb|bitsandbytes)(?:[-_ .]?4bit)?", Stored(BITSANDBYTES, "int4")),
    (_GGUF.format("[1234]"), Stored(GGUF, "int4")),
    (_GGUF.format("[568]"), Stored(GGUF, "int8")),  # those of 5 and 6 bits compute as those of 8 do
    *((form, Stored(GPTQ, "int4")) for form in _EXL),
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
_ANY = "|".join(re.sub(r"\?P<\w+>", "?:", ending) for ending, _ in _ENDINGS)
_ENDED = re.compile(rf"[-_ .:/](?:{_ANY})$", re.IGNORECASE)  # most names have none of them
_SAID = tuple((re.compile(rf"[-_ .:/](?:{ending})$", re.IGNORECASE), what) for ending, what in _ENDINGS)


def said_by(name: object) -> Stored | None:
    """How the weights of that name are stored, by its ending; ``None`` where it does not say."""
    if not isinstance(name, str) or not _ENDED.search(name.strip()):
        return None
    found = ((ending.search(name.strip()), what) for ending, what in _SAID)
    return next((_in_bits(what, match.groupdict()) for match, what in found if match is not None), None)


def _in_bits(what: Stored, words: Mapping[str, str | None]) -> Stored:
    """The storage, with the bits that a size of a GGUF file, or a mean of ExLlama's files, stands for."""
    if words.get("bits"):
        bits = float(str(words["bits"]).replace("_", "."))
        return Stored(what.quantization, "int4" if bits <= MOST_OF_FOUR else "int8", bits)
    return what._replace(bits=GGUF_BITS.get((words.get("size") or "").lower(), 0.0))


def agrees(quantization: str, precision: str) -> bool:
    """Whether weights in that format have that precision."""
    return precision in PRECISIONS_OF[quantization]
