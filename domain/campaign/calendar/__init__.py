"""The campaign's own calendar: how it moves on, downtime by it, and the timers that members set."""
