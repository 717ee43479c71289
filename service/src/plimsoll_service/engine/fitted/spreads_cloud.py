"""Ranges of estimates, from errors on what the fits to the bundled measurements and runs in clouds had not seen.

Written by ``plimsoll-service calibrate``; not edited by hand.
"""

# Lowest and highest measured ÷ estimated of eight in ten: known model, new model of known kind, modelled.
SPREADS: dict[str, tuple[tuple[float, float], ...]] = {
    "tokens_per_second": ((0.824, 1.282), (0.791, 1.282), (0.742, 1.328)),
    "tpot": ((0.745, 1.218), (0.745, 1.27), (0.745, 1.331)),
    "cpu_tokens_per_second": ((0.617, 1.585), (0.617, 1.668), (0.617, 1.668)),
    "cpu_tpot": ((0.609, 1.546), (0.583, 1.546), (0.583, 1.546)),
    "ttft": ((0.536, 1.991), (0.536, 2.15), (0.536, 2.15)),
    "prefill": ((0.658, 1.499), (0.658, 1.538), (0.658, 1.614)),
    "cpu_ttft": ((0.639, 1.979), (0.639, 2.041), (0.639, 2.041)),
    "cpu_prefill": ((0.648, 1.519), (0.648, 1.582), (0.648, 1.662)),
}
