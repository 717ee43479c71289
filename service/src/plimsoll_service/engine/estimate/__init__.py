"""What hardware makes of a workload: throughput, memory, feeding, time and ranges, in arrays over machines."""
