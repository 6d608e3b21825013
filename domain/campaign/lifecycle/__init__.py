"""How a campaign begins, rests and ends, and who belongs to it."""
