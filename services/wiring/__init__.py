"""The composition root: the only importer of infra, where ports get their adapters."""
