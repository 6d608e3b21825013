"""Stored projections, brought up to date from the event store."""
