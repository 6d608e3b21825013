"""What can be done, and its forms."""
