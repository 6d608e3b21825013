"""The campaign as each audience knows it, and how commands are decided so that it learns no more."""
