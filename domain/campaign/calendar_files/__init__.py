"""Calendars as other tools write them down, read into a campaign's own shape."""
