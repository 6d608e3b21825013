"""Adapters for the ports: stores in PostgreSQL, notifier in Redis, keys and clock of the machine."""
