"""A campaign's own page."""
