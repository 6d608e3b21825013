"""Ids for the names that people say in commands: things, and members."""
