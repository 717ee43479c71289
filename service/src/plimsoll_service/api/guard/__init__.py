"""API keys, scopes, rate limits, cross-origin calls, and the security headers of every answer."""
