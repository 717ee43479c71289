"""Networks counted layer by layer from their publications, as rows of the service's table of models.

``make networks`` writes the table; nothing of this is part of the service.
"""
