"""Estimates of a workload on hardware: throughput, memory, input, time and ranges, in arrays over machines."""
