"""What the service needs from the outside world, as protocols. `services.wiring` fits the real things in."""
