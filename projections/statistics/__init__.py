"""Dice against what is likely."""
