"""Ledgers as files for accountants' tools."""
