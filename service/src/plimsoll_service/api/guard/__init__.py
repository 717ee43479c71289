"""Who may ask, how much, and from where: keys, scopes, limits, cross-origin calls, and the headers of every answer."""
