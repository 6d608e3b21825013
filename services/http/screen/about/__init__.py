"""Pages about the service itself, for people and for a browser without a connection."""
