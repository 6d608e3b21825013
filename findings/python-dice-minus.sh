#!/usr/bin/env bash
# Guessed: 10-3-2 is 5 and 7/2*2 is 7, and spaces do not matter, as in every other dice notation.
# So is:   python-dice 2.0.2 reads "-3" as one number wherever it stands, so a minus without a space after
#          it makes two numbers side by side and is refused: 3d6-1 is a syntax error, 3d6 - 1 is not.
#          "+" needs no space, and "/" does not exist: only "//".
# Matters: people type d20-1. A service that lends its input to this library has to put spaces around
#          each minus itself, or it refuses every negative modifier, and only those.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check 'python_dice==2.0.2' 'rply==0.7.8'

"$dir/venv/bin/python" - > "$dir/seen" <<'PY'
from python_dice import PythonDiceInterpreter

for text in ["3d1+1", "3d1-1", "3d1 - 1", "10-3-2", "10 - 3 - 2", "10 -3", "7//2*2", "7/2*2"]:
    try:
        print(text, "=", PythonDiceInterpreter().roll([text])["stdout"])
    except ValueError:
        print(text, "is refused")
PY
cat "$dir/seen"

diff - "$dir/seen" <<'EXPECTED' || { echo "python-dice reads a minus another way than it did." >&2; exit 1; }
3d1+1 = 4
3d1-1 is refused
3d1 - 1 = 2
10-3-2 is refused
10 - 3 - 2 = 5
10 -3 is refused
7//2*2 = 6
7/2*2 is refused
EXPECTED
