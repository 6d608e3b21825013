"""The page that tells people how dice are checked."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "play" / "dice.md"


BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
