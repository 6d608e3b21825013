"""Export and import of campaigns as files."""
