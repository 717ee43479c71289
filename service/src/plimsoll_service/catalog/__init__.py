"""The catalog on disk: the bundled snapshot, its CSV format, and the import of figures."""
