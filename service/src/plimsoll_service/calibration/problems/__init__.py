"""Problems that are fitted: measurements of one kind with the engine's own formula for them, one module a form."""
