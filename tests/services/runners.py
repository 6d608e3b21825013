"""What a character of Freefall needs."""

PERMANENTS = {"body": 8, "mind": 8, "ghost": 8}
RUNNER = {"class": "Runner"}
