"""Tests of infra, against real engines."""
