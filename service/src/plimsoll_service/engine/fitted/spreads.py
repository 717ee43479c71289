"""Ranges of estimates, from errors on what the fits to the bundled measurements had not seen.

Written by ``plimsoll-service calibrate``; not edited by hand.
"""

# Lowest and highest measured ÷ estimated of eight in ten: known model, new model of known kind, modelled.
SPREADS: dict[str, tuple[tuple[float, float], ...]] = {
    "cnn_training": ((0.591, 1.464), (0.453, 1.811), (0.428, 1.811)),
    "rnn_training": ((0.566, 1.297), (0.483, 2.113), (0.442, 2.113)),
    "transformer_training": ((0.678, 1.182), (0.678, 1.462), (0.678, 1.462)),
    "inference": ((0.4, 1.575), (0.394, 1.742), (0.386, 2.09)),
    "token_training": ((0.877, 1.192), (0.832, 1.216), (0.832, 1.415)),
    "token_training_moe": ((0.693, 1.359), (0.693, 1.359), (0.693, 1.384)),
    "cpu_training": ((0.224, 1.659), (0.224, 1.793), (0.177, 1.793)),
    "cpu_inference": ((0.655, 4.05), (0.655, 4.05), (0.655, 4.05)),
    "tokens_per_second": ((0.839, 1.245), (0.741, 1.309), (0.733, 1.316)),
    "tpot": ((0.764, 1.209), (0.76, 1.255), (0.76, 1.325)),
    "ttft": ((0.485, 1.845), (0.485, 2.196), (0.485, 2.196)),
    "prefill": ((0.704, 1.618), (0.674, 1.681), (0.674, 1.696)),
    "tabular_training": ((0.616, 1.553), (0.578, 1.553), (0.548, 1.553)),
    "memory": ((0.919, 1.107), (0.871, 1.107), (0.862, 1.132)),
    "scaling": ((0.801, 1.11), (0.743, 1.11), (0.743, 1.237)),
}

# What scaling over devices adds to ln of either end.
SCALING: dict[str, float] = {"error": 0.033, "growth": 0.069}
