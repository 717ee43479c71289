"""Needs of a workload: the kind of work, what was assumed, and the figures that the estimates use."""
