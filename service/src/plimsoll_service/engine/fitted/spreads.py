"""Ranges of estimates, from errors on what the fits to the bundled measurements had not seen.

Written by ``plimsoll-service calibrate``; not edited by hand.
"""

# Lowest and highest measured ÷ estimated of eight in ten: known model, new model of known kind, modelled.
SPREADS: dict[str, tuple[tuple[float, float], ...]] = {
    "cnn_training": ((0.611, 1.361), (0.451, 1.91), (0.425, 1.91)),
    "rnn_training": ((0.59, 1.313), (0.475, 2.196), (0.451, 2.196)),
    "transformer_training": ((0.679, 1.198), (0.679, 1.515), (0.679, 1.515)),
    "inference": ((0.413, 1.56), (0.413, 1.728), (0.349, 2.021)),
    "token_training": ((0.877, 1.192), (0.832, 1.216), (0.832, 1.415)),
    "token_training_moe": ((0.693, 1.359), (0.693, 1.359), (0.693, 1.384)),
    "cpu_training": ((0.247, 1.742), (0.247, 1.864), (0.194, 1.864)),
    "cpu_inference": ((0.652, 4.456), (0.652, 4.456), (0.652, 4.456)),
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
