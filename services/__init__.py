"""What runs: the HTTP API, the workers and the command line, and the wiring between domain and infra."""
