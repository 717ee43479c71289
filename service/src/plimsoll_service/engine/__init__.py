"""The sizing engine: pure functions from a workload and a catalog to estimates and a choice.

No I/O, no clock, no environment, no framework: the same input always gives the same answer.
"""
