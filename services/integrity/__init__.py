"""Integrity of the log: kept heads, hash chains, checkpoints."""
