"""How a campaign begins, and how it is archived."""
