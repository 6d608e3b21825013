"""A campaign in memory: loaded, folded for each audience, named, followed and evicted."""
