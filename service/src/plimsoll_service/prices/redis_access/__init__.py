"""How Redis is reached: from a URL to commands that fail in two ways only."""
