"""Training of language models by tokens."""
