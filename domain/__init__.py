"""The rules: pure functions from commands to facts and from facts to state."""
