"""Language-model training by tokens: coefficients of a micro-batch's time.

Written by ``plimsoll-service calibrate``; not edited by hand.
"""

from plimsoll_service.engine.coefficients import TokenTraining

TOKEN_TRAINING = TokenTraining(
    gemm=0.9324,  # ±8%, from 0.903
    peak_exponent=0.1554,  # ±24%, from 0.168
    attention=0.41,  # ±10%, from 0.376
    attention_peak_exponent=0.4852,  # ±20%, from 0.42
    elementwise=1.128,  # ±22%, from 1.4
    experts=0.5491,  # ±16%, from 0.623
    recomputation=0.4667,  # ±23%, from 0.6
    stock=0.7736,  # ±6%, from 0.827
    neuron=0.3933,  # ±11%, from 0.448
    tpu=1.119,  # ±9%, from 0.7
    gaudi=0.7916,  # ±10%, from 0.7
    peak8_exponent=0.08899,  # ±46%, from 0.085
    layer_launch_s=0.002713,  # ±6%, from 0.0027
    tensor_exchange=1.033,  # ±24%, from 2.0
)
