#!/usr/bin/env bash
# Guessed: digits beyond microseconds are cut off, as Python's own fromisoformat does.
# So is:   msgspec 0.22.0 rounds them, half up, and the carry goes all the way: 2187-12-31T23:59:59.9999999Z is
#          the first moment of 2188. The standard library reads the same text as 2187.
# Matters: a service that groups events by day gets another day (or year) than a script that reads the same
#          export with the standard library, and only for clients whose clocks have nanoseconds.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check 'msgspec==0.22.0'

"$dir/venv/bin/python" - > "$dir/seen" <<'PY'
from datetime import datetime

import msgspec

for text in ["2187-03-01T10:00:00.1234564Z", "2187-03-01T10:00:00.1234565Z", "2187-12-31T23:59:59.9999999Z"]:
    print("text:   ", text)
    print("msgspec:", msgspec.convert(text, datetime).isoformat())
    print("Python: ", datetime.fromisoformat(text).isoformat())
PY
cat "$dir/seen"

diff - "$dir/seen" <<'EXPECTED' || { echo "msgspec treats digits beyond microseconds another way than it did." >&2; exit 1; }
text:    2187-03-01T10:00:00.1234564Z
msgspec: 2187-03-01T10:00:00.123456+00:00
Python:  2187-03-01T10:00:00.123456+00:00
text:    2187-03-01T10:00:00.1234565Z
msgspec: 2187-03-01T10:00:00.123457+00:00
Python:  2187-03-01T10:00:00.123456+00:00
text:    2187-12-31T23:59:59.9999999Z
msgspec: 2188-01-01T00:00:00+00:00
Python:  2187-12-31T23:59:59.999999+00:00
EXPECTED
