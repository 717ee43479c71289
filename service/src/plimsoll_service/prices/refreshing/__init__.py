"""A refresh: a feed's answer as columns, compared and merged with the prices in force, and published."""
