"""The services: the HTTP API, the workers, the command line, and the wiring of ports to adapters."""
