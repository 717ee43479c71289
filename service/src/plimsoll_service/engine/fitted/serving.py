"""Serving on accelerators: coefficients of decode and prefill, and of the engines.

Written by ``plimsoll-service calibrate``; not edited by hand.
"""

from dataclasses import replace

from plimsoll_service.engine.serving_coefficients import Serving

DEVICE = replace(
    Serving().device,
    bandwidth_hbm=0.8323,  # ±7%, from 0.84
    bandwidth_gddr=1.055,  # ±8%, from 0.98
    bandwidth_llama_cpp=0.8869,  # ±8%, from 0.89
    experts=0.7928,  # ±19%, from 0.75
    kv=0.9596,  # ±15%, from 0.87
    compute16=0.7497,  # ±17%, from 0.7
    compute8=0.6636,  # ±16%, from 0.72
    compute4=0.2329,  # ±25%, from 0.19
    compute_weight_only=0.3904,  # ±29%, from 0.39
    compute_quantised=0.1962,  # ±9%, from 0.18
    norm=1.088,  # ±14%, from 1.09
    attention=0.3314,  # ±34%, from 0.32
    attention_llama_cpp=0.2888,  # ±37%, from 0.27
    step_s=0.0007398,  # ±38%, from 0.00069
    layer_s=4.561e-05,  # ±24%, from 4.4e-05
    moe_layer_s=7.216e-05,  # ±33%, from 6.7e-05
    allreduce_nvlink_s=2.744e-06,  # ±38%, from 2.7e-06
    allreduce_neuron_s=1.784e-05,  # ±17%, from 1.8e-05
    interference=0.8548,  # ±12%, from 0.86
    prefill_s=0.00109,  # ±40%, from 0.0011
    prefill_launches=2.993,  # ±36%, from 3.3
    queue_steps=0.7368,  # ±30%, from 0.73
    offline=1.065,  # ±6%, from 1.07
)

TENSORRT_LLM = replace(
    Serving().tensorrt_llm,
    step=0.9155,  # ±29%, from 0.92
    layer=0.3977,  # ±28%, from 0.4
    host_s=9.15e-06,  # ±37%, from 8.5e-06
    first_token_s=0.1498,  # ±34%, from 0.137
    queue=0.08598,  # ±42%, from 0.09
)

SGLANG = replace(
    Serving().sglang,
    step=1.017,  # ±30%, from 1.01
    layer=0.8674,  # ±27%, from 0.88
    host_s=7.044e-06,  # ±49%, from 6.3e-06
    first_token_s=0.2367,  # ±39%, from 0.246
    queue=0.09799,  # ±44%, from 0.09
)

LLAMA_CPP = replace(
    Serving().llama_cpp,
    step=1.201,  # ±30%, from 1.2
    layer=2.124,  # ±25%, from 2.2
    first_token_s=0.001964,  # ±50%, from 0.002
)

NEURON = replace(
    Serving().neuron,
    step=1.013,  # ±30%, from 1.0
    layer=1.04,  # ±29%, from 1.04
    first_token_s=0.007751,  # ±49%, from 0.008
)

PYTORCH = replace(
    Serving().pytorch,
    layer=26.76,  # ±25%, from 26.0
)
