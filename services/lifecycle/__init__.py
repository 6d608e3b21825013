"""Life cycle of campaigns: creation, membership, deletion."""
