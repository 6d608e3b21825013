"""Life cycle of campaigns: creation, membership, deletion, eviction from the caches."""
