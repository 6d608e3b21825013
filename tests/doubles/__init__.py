"""Stores in plain dicts for tests and the simulation: the same promises as PostgreSQL, but for durability."""
