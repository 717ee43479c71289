"""Ranges of estimates, from errors on what the fits to the bundled measurements and runs in clouds had not seen.

Written by ``plimsoll-service calibrate``; not edited by hand.
"""

# Lowest and highest measured ÷ estimated of eight in ten: known model, new model of known kind, modelled.
SPREADS: dict[str, tuple[tuple[float, float], ...]] = {
    "tokens_per_second": ((0.799, 1.288), (0.762, 1.288), (0.738, 1.307)),
    "tpot": ((0.737, 1.246), (0.737, 1.296), (0.737, 1.343)),
    "cpu_tokens_per_second": ((0.619, 1.616), (0.619, 1.696), (0.619, 1.696)),
    "cpu_tpot": ((0.602, 1.548), (0.572, 1.548), (0.572, 1.548)),
    "ttft": ((0.533, 2.0), (0.533, 2.17), (0.533, 2.17)),
    "prefill": ((0.656, 1.501), (0.656, 1.535), (0.656, 1.617)),
    "cpu_ttft": ((0.614, 1.929), (0.614, 1.996), (0.614, 1.996)),
    "cpu_prefill": ((0.64, 1.553), (0.64, 1.639), (0.64, 1.737)),
}
