"""Failures of migrations; apart from the driver, whose 6 MiB a process that only handles them does without."""


class MigrationFailed(Exception):  # noqa: N818 - it says what happened
    """The database could not be brought up to date; the text is a sentence for the operator."""


class DatabaseLost(MigrationFailed):
    """The database did not answer, or the connection broke; another attempt may succeed."""
