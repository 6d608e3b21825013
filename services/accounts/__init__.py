"""Accounts: signing in, invites, rate limits, deletion."""
