"""Ranges of estimates, from errors on what the fits to the bundled measurements had not seen.

Written by ``plimsoll-service calibrate``; not edited by hand.
"""

# Lowest and highest measured ÷ estimated of eight in ten: known model, new model of known kind, modelled.
SPREADS: dict[str, tuple[tuple[float, float], ...]] = {
    "cnn_training": ((0.666, 1.366), (0.454, 1.871), (0.433, 1.871)),
    "rnn_training": ((0.624, 1.38), (0.495, 2.156), (0.455, 2.156)),
    "transformer_training": ((0.724, 1.281), (0.724, 1.528), (0.724, 1.528)),
    "inference": ((0.453, 1.613), (0.422, 1.705), (0.383, 2.153)),
    "token_training": ((0.877, 1.192), (0.832, 1.216), (0.832, 1.415)),
    "token_training_moe": ((0.693, 1.359), (0.693, 1.359), (0.693, 1.384)),
    "cpu_training": ((0.252, 1.723), (0.252, 1.863), (0.199, 1.863)),
    "cpu_inference": ((0.697, 4.282), (0.697, 4.282), (0.697, 4.282)),
    "tokens_per_second": ((0.837, 1.253), (0.749, 1.315), (0.731, 1.315)),
    "tpot": ((0.766, 1.215), (0.759, 1.257), (0.759, 1.328)),
    "ttft": ((0.487, 1.838), (0.487, 2.186), (0.487, 2.186)),
    "prefill": ((0.709, 1.67), (0.677, 1.722), (0.677, 1.74)),
    "tabular_training": ((0.594, 1.533), (0.549, 1.533), (0.539, 1.533)),
    "memory": ((0.919, 1.107), (0.871, 1.107), (0.862, 1.132)),
    "scaling": ((0.801, 1.11), (0.743, 1.11), (0.743, 1.237)),
}

# What scaling over devices adds to ln of either end.
SCALING: dict[str, float] = {"error": 0.033, "growth": 0.069}
