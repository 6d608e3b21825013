"""How a running process is."""
