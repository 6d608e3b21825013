"""How commands, events and states become bytes, and back."""
