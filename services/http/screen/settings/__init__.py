"""Settings of a campaign."""
