"""Serving on processors: coefficients of decode and prefill, and rates by vector class.

Written by ``plimsoll-service calibrate``; not edited by hand.
"""

from dataclasses import replace

from plimsoll_service.engine.serving_coefficients import Serving

CPU = replace(
    Serving().cpu,
    bandwidth_llama_cpp=1.048,  # ±9%, from 0.9
    bandwidth_kv=0.6352,  # ±29%, from 0.62
    sockets_reading=0.7499,  # ±10%, from 0.74
    sockets_prefill=0.3736,  # ±14%, from 0.42
    decode_cores=0.9129,  # ±4%, from 0.95
    prefill_cores=0.8998,  # ±2%, from 0.94
    host_exponent=1.893,  # ±11%, from 1.7
    layer_s=2.227e-05,  # ±50%, from 2.3e-05
    layer_core_s=5.548e-07,  # ±43%, from 6.9e-07
    layer_llama_cpp_s=0.0001306,  # ±14%, from 0.000136
    layer_core_llama_cpp_s=2.696e-06,  # ±14%, from 2.08e-06
    step_s=0.01086,  # ±14%, from 0.012
    sequence_s=0.0007146,  # ±34%, from 0.00098
    first_token_s=0.04403,  # ±37%, from 0.032
    prefill_batch=0.7386,  # ±37%, from 0.58
    interference=1.505,  # ±21%, from 1.8
    queue=0.1004,  # ±69%, from 0.09
    attention=0.1613,  # ±24%, from 0.075
    fp16_decode=0.296,  # ±32%, from 0.29
    fp16_prefill=0.398,  # ±23%, from 0.45
    word_s=4.202e-09,  # ±59%, from 1e-08
    undivided_prefill=0.5456,  # ±10%, from 0.6
)

DECODE = replace(
    Serving().decode,
    none=9.0,  # ±40%, from 9.0
    avx2=29.93,  # ±33%, from 24.0
    avx512f=25.39,  # ±36%, from 23.0
    avx512_vnni=10.56,  # ±28%, from 9.0
    avx512_bf16=34.13,  # ±37%, from 35.0
    amx=14.9,  # ±22%, from 19.0
    neon=8.0,  # ±40%, from 8.0
    sve=10.0,  # ±40%, from 10.0
    sve2=8.57,  # ±30%, from 10.0
)

PREFILL = replace(
    Serving().prefill,
    none=20.0,  # ±40%, from 20.0
    avx2=37.61,  # ±21%, from 40.0
    avx512f=44.66,  # ±24%, from 46.0
    avx512_vnni=52.43,  # ±21%, from 37.0
    avx512_bf16=167.5,  # ±22%, from 156.0
    amx=747.5,  # ±24%, from 769.0
    neon=30.0,  # ±40%, from 30.0
    sve=60.0,  # ±40%, from 60.0
    sve2=123.3,  # ±24%, from 129.0
)

DECODE_LLAMA_CPP = replace(
    Serving().decode_llama_cpp,
    none=42.87,  # ±28%, from 42.0
    avx2=84.05,  # ±27%, from 75.0
    avx512f=37.39,  # ±21%, from 41.0
    avx512_vnni=49.73,  # ±22%, from 45.0
    avx512_bf16=85.68,  # ±32%, from 85.0
    amx=48.17,  # ±23%, from 52.0
    neon=21.3,  # ±25%, from 22.0
    sve=30.51,  # ±25%, from 29.0
    sve2=23.13,  # ±20%, from 26.0
)

PREFILL_LLAMA_CPP = replace(
    Serving().prefill_llama_cpp,
    none=43.14,  # ±15%, from 33.0
    avx2=74.19,  # ±9%, from 71.0
    avx512f=74.12,  # ±10%, from 65.0
    avx512_vnni=85.06,  # ±10%, from 66.0
    avx512_bf16=89.74,  # ±12%, from 86.0
    amx=120.0,  # ±11%, from 124.0
    neon=27.34,  # ±16%, from 26.0
    sve=41.43,  # ±15%, from 37.0
    sve2=33.03,  # ±13%, from 32.0
)
