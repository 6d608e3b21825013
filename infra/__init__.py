"""Adapters to the world outside: the event log in PostgreSQL, Redis, engines without installation."""
