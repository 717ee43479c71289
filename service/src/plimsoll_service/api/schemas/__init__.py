"""The schemas of requests (marshmallow), which load into the engine's frozen values."""
