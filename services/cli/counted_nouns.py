"""Numbers with their nouns, as lines of the command line have them."""


def counted(number: int, noun: str) -> str:
    """A number with its noun, in the plural by an “s” unless it is one."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
