"""What the machine gives: randomness, the time, a key in a file and a folder beside the database."""
