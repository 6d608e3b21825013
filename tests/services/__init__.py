"""Tests of the services, from outside where that is possible."""
