"""The campaign as a book."""
