"""The version, as pyproject.toml says it too (a test compares them)."""

VERSION = "0.2.0"
