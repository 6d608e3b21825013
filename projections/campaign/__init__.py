"""What a campaign looks like to its members, whatever they play."""
