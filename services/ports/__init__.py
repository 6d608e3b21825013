"""Ports: what the service needs of the outside world, as protocols. `services.wiring` provides the adapters."""
