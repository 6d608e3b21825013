"""Builders: a whole character on one page, sent as one action."""
