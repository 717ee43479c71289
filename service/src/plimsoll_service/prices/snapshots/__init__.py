"""Price snapshots: all prices of one moment by name, as bytes, in Redis, and over the rows of a catalog."""
