"""The campaign's own calendar, and downtime by it."""
