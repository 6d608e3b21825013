"""Statements on PostgreSQL as fast as the service needs them; the README says what that is worth."""
