"""How a campaign begins, is archived and ends, and who its members are."""
