"""The catalog on disk: the bundled snapshot, the CSV format it is built from, the import of figures."""
