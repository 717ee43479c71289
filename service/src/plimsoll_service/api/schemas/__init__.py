"""What a request may say, as marshmallow schemas that load into the engine's frozen values."""
