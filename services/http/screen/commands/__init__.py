"""The possible commands, and their forms."""
