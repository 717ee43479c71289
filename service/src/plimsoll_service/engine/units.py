"""Conversions between the units of the contract; every size inside the engine is in the unit its name says."""

BYTES = {"fp64": 8.0, "fp32": 4.0, "tf32": 4.0, "mixed": 2.0, "fp16": 2.0, "bf16": 2.0, "fp8": 1.0, "int8": 1.0,
         "fp4": 0.5, "int4": 0.5}  # fmt: skip

GB = 1e9
TB = 1e12
GIGA = 1e9
TERA = 1e12
GIB = 2.0**30
MIB = 2.0**20
SECONDS_PER_HOUR = 3600.0
MINUTES_PER_HOUR = 60.0
SECONDS_PER_MINUTE = 60.0
HOURS_PER_DAY = 24
HOURS_PER_MONTH = 730.0  # the month that providers divide by: 365 days / 12
MILLION = 1e6
BITS_PER_BYTE = 8.0
MS = 1e3  # milliseconds in a second
TINY = 1e-30  # in place of 0, by which nothing is divided
