"""Accounts: signing in, programs, passwords."""
