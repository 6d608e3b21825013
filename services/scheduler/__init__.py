"""Due commands of campaigns, and their timers."""
