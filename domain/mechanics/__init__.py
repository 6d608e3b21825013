"""What several rule systems need alike."""
