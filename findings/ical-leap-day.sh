#!/usr/bin/env bash
# Guessed: FREQ=YEARLY from 29 February comes every fourth year: what does not exist is left out (RFC 5545).
# So is:   dateutil 2.9 and rrule 2.8.1 do that, and wait eight years around 2100. ical.js 2.2.1 celebrates each year:
#          on 1 March, as long as the rule has no more parts. With BYMONTH and BYMONTHDAY it leaves out, too.
# Matters: a character's birthday on 29 February is yearly in one calendar and every four years in the next. Who
#          means "the last day of February" has to write BYMONTH=2;BYMONTHDAY=-1.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check 'python-dateutil==2.9.0.post0'
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$dir" 'ical.js@2.2.1' 'rrule@2.8.1'

"$dir/venv/bin/python" - > "$dir/seen" <<'PY'
from datetime import datetime

from dateutil.rrule import rrulestr

print("dateutil:", *(f"{day:%Y-%m-%d}" for day in rrulestr("FREQ=YEARLY;COUNT=3", dtstart=datetime(2092, 2, 29))))
PY
cat > "$dir/look.mjs" <<'JS'
import ICAL from 'ical.js';
import rrule from 'rrule';

const rule = rrule.rrulestr('DTSTART:20920229T000000Z\nRRULE:FREQ=YEARLY;COUNT=3');
console.log('rrule:', ...rule.all().map((day) => day.toISOString().slice(0, 10)));
for (const more of ['', 'BYMONTH=2;BYMONTHDAY=29;', 'BYMONTH=2;BYMONTHDAY=-1;']) {
  const days = ICAL.Recur.fromString(`FREQ=YEARLY;${more}COUNT=6`).iterator(ICAL.Time.fromDateString('2092-02-29'));
  const seen = [];
  for (let day = days.next(); day; day = days.next()) seen.push(day.toString());
  console.log(`ical.js ${more}`.trim() + ':', ...seen);
}
JS
node "$dir/look.mjs" >> "$dir/seen"
cat "$dir/seen"

diff - "$dir/seen" <<'EXPECTED' || { echo "a library repeats the 29th of February another way than it did." >&2; exit 1; }
dateutil: 2092-02-29 2096-02-29 2104-02-29
rrule: 2092-02-29 2096-02-29 2104-02-29
ical.js: 2092-02-29 2093-03-01 2094-03-01 2095-03-01 2096-02-29 2097-03-01
ical.js BYMONTH=2;BYMONTHDAY=29;: 2092-02-29 2096-02-29 2104-02-29 2108-02-29 2112-02-29 2116-02-29
ical.js BYMONTH=2;BYMONTHDAY=-1;: 2092-02-29 2093-02-28 2094-02-28 2095-02-28 2096-02-29 2097-02-28
EXPECTED
