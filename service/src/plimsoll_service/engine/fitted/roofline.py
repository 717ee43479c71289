"""Step time on one device.

Written by ``plimsoll-service calibrate``; not edited by hand.
"""

from plimsoll_service.engine.coefficients import Roofline

ROOFLINE = Roofline(
    compute_fp32=1.058,  # ±15%, from 0.8
    compute_tf32=0.6609,  # ±20%, from 0.43
    compute_tensor16=0.6373,  # ±14%, from 0.56
    compute_8bit=0.271,  # ±28%, from 0.3877
    compute_neuron=0.2976,  # ±32%, from 0.4045
    compute_cpu=0.4787,  # ±16%, from 0.3636
    compute_cpu_8bit=0.1484,  # ±25%, from 0.1058
    memory=0.7159,  # ±12%, from 1.05
    memory_inference=1.017,  # ±12%, from 1.34
    fused_traffic=0.3878,  # ±35%, from 0.5
    gather=0.1579,  # ±44%, from 0.1
    launch_training_s=9.873e-06,  # ±40%, from 1.7e-05
    launch_inference_s=6.389e-06,  # ±16%, from 1.3e-05
    launch_sequential_s=1.576e-05,  # ±19%, from 6.5e-06
    host_s=0.0003699,  # ±33%, from 0.0009
    filling=2.8,  # ±9%, from 1.1
    cpu_filling=0.3508,  # ±22%, from 0.38
    balance_exponent=0.4354,  # ±22%, from 0.56
    power_exponent=0.5441,  # ±27%, from 0.64
    cpu_core_saturation=212.4,  # ±67%, from 183.0
    kepler_clock=0.5648,  # ±16%, from 0.62
    tuned_tensor=0.3048,  # ±35%, from 0.24
    tuned_inference=0.09345,  # ±63%, from 0.24
    tuned_plain=0.276,  # ±36%, from 0.1
    year_tensor=1.113,  # ±3%, from 1.1
    year_plain=1.042,  # ±1%, from 1.2
    recent_year=1.023,  # ±1%, from 1.05
)
