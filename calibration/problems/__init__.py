"""The fitted problems: measurements of one kind with the engine's own formula for them."""
