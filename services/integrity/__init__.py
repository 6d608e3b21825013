"""Whether the log is what it was: kept heads, chains, checkpoints."""
