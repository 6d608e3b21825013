"""Views that every campaign has, whatever its rule systems."""
