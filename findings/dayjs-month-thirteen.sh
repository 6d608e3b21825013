#!/usr/bin/env bash
# Guessed: month 13 is an invalid date: dayjs only lets days run over, 30 February into March.
# So is:   dayjs 1.11.23 lets months run over, too: 2187-13-01 is January 2188, and isValid() says yes. And the year 0012 (no
#          guess was asked, it came along) is 1912, as in JavaScript's own Date(12, …): it builds the date from numbers.
# Matters: calendars of made-up worlds have thirteen months and a year twelve. Neither may be read with a library
#          for real dates, which does not refuse but moves them.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$dir" 'dayjs@1.11.23'

cat > "$dir/look.mjs" <<'JS'
import dayjs from 'dayjs';

for (const text of ['2187-13-01', '2187-02-30', '0012-03-01', '0099-03-01', '0100-03-01']) {
  const day = dayjs(text);
  console.log(text, 'is', day.format('YYYY-MM-DD'), day.isValid() ? 'valid' : 'invalid');
}
JS
TZ=UTC node "$dir/look.mjs" > "$dir/seen"
cat "$dir/seen"

diff - "$dir/seen" <<'EXPECTED' || { echo "dayjs reads dates outside the calendar or early years another way than it did." >&2; exit 1; }
2187-13-01 is 2188-01-01 valid
2187-02-30 is 2187-03-02 valid
0012-03-01 is 1912-03-01 valid
0099-03-01 is 1999-03-01 valid
0100-03-01 is 0100-03-01 valid
EXPECTED
