"""A refresh: a feed's answer as columns, held against the prices in force, merged with them, published."""
