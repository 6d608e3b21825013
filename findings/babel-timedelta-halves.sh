#!/usr/bin/env bash
# Guessed: 27 days are "4 weeks", 340 days "11 months", and a half is rounded up: 90 seconds are
#          "2 minutes" and 150 seconds are "3 minutes".
# So is:   babel 2.19.0 changes to the next unit at 85 % of it, so 26 days are a month and 311 days a year, and
#          rounds halves to the even number: 90 and 150 seconds are both "2 minutes", 36 and 60 hours both "2 days".
# Matters: a timer that says "2 days" may end in 36 hours or in 60. Words of babel are for looking at; what a
#          player plans with has to come from your own division.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check 'babel==2.19.0'

"$dir/venv/bin/python" - > "$dir/seen" <<'PY'
from datetime import timedelta

from babel.dates import format_timedelta

for length in [
    timedelta(seconds=90),
    timedelta(seconds=150),
    timedelta(hours=36),
    timedelta(hours=60),
    timedelta(days=25),
    timedelta(days=26),
    timedelta(days=310),
    timedelta(days=311),
]:
    print(length, "is", format_timedelta(length, locale="en"))
PY
cat "$dir/seen"

diff - "$dir/seen" <<'EXPECTED' || { echo "babel words lengths of time another way than it did." >&2; exit 1; }
0:01:30 is 2 minutes
0:02:30 is 2 minutes
1 day, 12:00:00 is 2 days
2 days, 12:00:00 is 2 days
25 days, 0:00:00 is 4 weeks
26 days, 0:00:00 is 1 month
310 days, 0:00:00 is 10 months
311 days, 0:00:00 is 1 year
EXPECTED
