"""Ports: the service's needs of the outside world, as protocols. `services.wiring` provides the adapters."""
