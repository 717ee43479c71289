"""Lookups through caches: in Redis, in the process, read through once however many ask."""
