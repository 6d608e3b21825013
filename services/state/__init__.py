"""Campaigns folded for an audience: as they stand, as they stood at any seq, and kept in memory."""
