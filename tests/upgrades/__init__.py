"""Databases as released versions left them, and that they open in this one.

`python -m tests.upgrades.record VERSION` plays short campaigns of every system and writes `VERSION.tar.xz`: the
rows of every table, what the API answered about them, each campaign's export, and the statements that the version
sends to PostgreSQL. It is run once for each release, on the commit that is tagged; the schema needs no recording,
since migrations are never edited.
"""
