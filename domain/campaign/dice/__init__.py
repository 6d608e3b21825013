"""Server dice: their epochs, whose they are, and the check of every one that fell."""
