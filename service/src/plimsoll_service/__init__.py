"""Plimsoll: sizes and prices cloud instances for machine-learning workloads."""
