"""Keys of forms, which are others on each page that is opened."""

import re


def without_keys(html: str) -> str:
    """A page or panel without what makes its forms others than those of another opening."""
    return re.sub(r'value="page-[0-9a-f-]*-', 'value="', html)
