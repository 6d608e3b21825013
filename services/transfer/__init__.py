"""Export, import and fork."""
