"""What is due at some time: timers that members set, and what the campaign owes itself."""
