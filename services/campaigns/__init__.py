"""How campaigns begin, are deleted, and leave the caches."""
