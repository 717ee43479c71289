"""Bulk: a file of workloads sized by many processes, in order, in bounded memory, and gone on with where cut off."""


class BulkError(Exception):
    """The run cannot begin or go on; what was answered so far stays."""
