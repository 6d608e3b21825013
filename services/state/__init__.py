"""Campaigns folded for an audience: at the head, at any seq, and cached in memory."""
