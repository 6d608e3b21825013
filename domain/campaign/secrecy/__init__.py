"""Secrecy: audiences, the things that may be hidden, and their entry into play."""
