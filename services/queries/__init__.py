"""Queries: views at any moment, the chronicle, comparisons, the live feed."""
