"""The contract: ``openapi.yaml``, written from the service's routes, schemas and answers; the service ships it."""
