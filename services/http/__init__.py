"""Everything over HTTP: the API and the screen, and what both have around a request."""
