"""What one process does for itself where it is the only one, or while Redis is unavailable."""
