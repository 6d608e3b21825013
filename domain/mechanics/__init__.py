"""What several rule systems share."""
