"""Campaigns as files: their format, their proof, and how one becomes a campaign again."""
