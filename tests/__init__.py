"""Tests; their names are sentences."""
