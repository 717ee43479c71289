"""Bulk: sizing of a file of workloads by many processes, in order and in bounded memory; an interrupted run resumes."""


class BulkError(Exception):
    """The run cannot start or resume; finished answers stay."""
