"""Dice compared with their odds."""
