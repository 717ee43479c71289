"""Bulk: a file of workloads sized by many processes, in order, with bounded memory, and resumed where it was cut off."""
