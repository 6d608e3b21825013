"""Writes docs/reference and docs/rules as the source is now: `python -m tests.reference`."""

from tests.reference.pages import pages

for path, page in pages().items():
    path.parent.mkdir(exist_ok=True)
    path.write_text(page, "utf-8")
