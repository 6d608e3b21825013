"""Ports that one process implements alone, where there is no other process, or while Redis is unavailable."""
