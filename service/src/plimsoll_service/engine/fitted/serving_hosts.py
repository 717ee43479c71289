"""Serving on rented accelerators: hosts, buses, older devices, and vLLM.

Written by ``plimsoll-service calibrate``; not edited by hand.
"""

from dataclasses import replace

from plimsoll_service.engine.serving_coefficients import Serving

HOST = replace(
    Serving().host,
    exponent=1.468,  # ±28%, from 1.57
    allreduce_pcie_s=1.674e-05,  # ±33%, from 1.7e-05
    kv_before_hopper=0.5961,  # ±17%, from 0.63
    dequantise_flop=342.9,  # ±30%, from 346.0
    dequantised_bytes=5.08,  # ±28%, from 4.8
    layer_split=0.0404,  # ±52%, from 0.05
)

VLLM = replace(
    Serving().vllm,
    step=0.6802,  # ±27%, from 0.71
    layer=0.8024,  # ±17%, from 0.78
    host_s=3.028e-05,  # ±17%, from 3.3e-05
    first_token_s=0.01624,  # ±25%, from 0.014
    queue=0.1296,  # ±31%, from 0.29
)
