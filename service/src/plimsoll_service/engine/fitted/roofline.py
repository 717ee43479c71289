"""Step time on one device.

Written by ``plimsoll-service calibrate``; not edited by hand.
"""

from plimsoll_service.engine.coefficients import Roofline

ROOFLINE = Roofline(
    compute_fp32=1.071,  # ±15%, from 0.8
    compute_tf32=0.684,  # ±20%, from 0.43
    compute_tensor16=0.6494,  # ±14%, from 0.56
    compute_8bit=0.2955,  # ±28%, from 0.3877
    compute_neuron=0.2968,  # ±33%, from 0.4045
    compute_cpu=0.5201,  # ±16%, from 0.3636
    compute_cpu_8bit=0.1628,  # ±26%, from 0.1058
    memory=0.7549,  # ±11%, from 1.05
    memory_inference=0.9519,  # ±12%, from 1.34
    fused_traffic=0.3666,  # ±35%, from 0.5
    gather=0.165,  # ±44%, from 0.1
    launch_training_s=9.433e-06,  # ±40%, from 1.7e-05
    launch_inference_s=5.545e-06,  # ±17%, from 1.3e-05
    launch_sequential_s=1.561e-05,  # ±20%, from 6.5e-06
    host_s=0.0003379,  # ±34%, from 0.0009
    filling=2.989,  # ±9%, from 1.1
    cpu_filling=0.3426,  # ±22%, from 0.38
    balance_exponent=0.4466,  # ±22%, from 0.56
    power_exponent=0.5512,  # ±27%, from 0.64
    cpu_core_saturation=203.7,  # ±67%, from 183.0
    kepler_clock=0.5725,  # ±16%, from 0.62
    tuned_tensor=1.008,  # ±10%, from 1.24
    tuned_plain=1.162,  # ±8%, from 1.0
    year_tensor=1.11,  # ±3%, from 1.1
    year_plain=1.044,  # ±1%, from 1.2
    recent_year=1.023,  # ±1%, from 1.05
)
