"""Commands, events and states as bytes."""
