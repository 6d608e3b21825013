"""What is true for every game, whatever its rules: who plays, when, by which settings, and with what money."""
