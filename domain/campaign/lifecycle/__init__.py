"""How a campaign begins, and how it is archived; how characters leave the story."""
