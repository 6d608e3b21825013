"""Erasure of personal texts and of accounts."""
