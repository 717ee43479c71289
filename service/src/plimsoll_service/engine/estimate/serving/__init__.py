"""Serving of language models."""
