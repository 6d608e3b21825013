"""Due commands: timers that members set, and what the campaign owes itself."""
