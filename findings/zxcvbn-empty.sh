#!/usr/bin/env bash
# Guessed: an empty password gets the worst score, 0, like any other weak one.
# So is:   zxcvbn 4.5.0 raises IndexError for it, and ValueError for one of 73 characters; 1 and 72 are fine.
# Matters: a meter that follows what is typed meets the empty one first. Both ends have to be caught before the
#          library is asked, or a sign-up form answers 500.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check 'zxcvbn==4.5.0'

"$dir/venv/bin/python" - > "$dir/seen" <<'PY'
from zxcvbn import zxcvbn

for length in [0, 1, 72, 73]:
    try:
        print(length, "characters: score", zxcvbn("a" * length)["score"])
    except Exception as error:
        print(length, "characters:", type(error).__name__)
PY
cat "$dir/seen"

diff - "$dir/seen" <<'EXPECTED' || { echo "zxcvbn takes an empty password another way than it did." >&2; exit 1; }
0 characters: IndexError
1 characters: score 0
72 characters: score 0
73 characters: ValueError
EXPECTED
