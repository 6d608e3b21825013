"""The chronicle as files for other programs."""
