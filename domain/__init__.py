"""The rules: pure functions from commands to events and from events to state."""
