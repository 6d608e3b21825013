"""Members and invites."""
