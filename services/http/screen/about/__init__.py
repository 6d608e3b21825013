"""What the service says of itself, to people and to a browser without it."""
