"""Projections, brought up to date from the event store and saved."""
