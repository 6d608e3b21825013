"""Time: timers and downtime."""
