"""The Cores of a character in Angst."""

CORES = {"physical": "d10", "mental": "d6", "social": "d6", "resolve": "d8"}
