#!/usr/bin/env bash
# Guessed: "three Tuesdays, from Monday 2 March on" are three Tuesdays: a first day that is not in the rule is none.
# So is:   recurring-ical-events 3.8.2 gives four sessions: the Monday and three Tuesdays. It adds the first day, but does
#          not count it. dateutil 2.9 and ical.js 2.2.1 leave the Monday out. RFC 5545 would count the first day
#          (and leaves a first day outside the rule undefined).
# Matters: the same file has a session more or less in each calendar. A service that writes rules has to
#          move DTSTART to the first day of the rule itself.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check 'recurring-ical-events==3.8.2' 'icalendar==7.3.2' 'python-dateutil==2.9.0.post0'
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$dir" 'ical.js@2.2.1'

"$dir/venv/bin/python" - > "$dir/seen" <<'PY'
from datetime import date, datetime

import icalendar
import recurring_ical_events
from dateutil.rrule import rrulestr

rule = "RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=3"
lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:VEVENT", "UID:1", "DTSTAMP:20260301T100000Z"]
lines += ["DTSTART:20260302T200000", "DURATION:PT3H", rule, "END:VEVENT", "END:VCALENDAR", ""]
calendar = icalendar.Calendar.from_ical("\r\n".join(lines))
found = recurring_ical_events.of(calendar).between(date(2026, 1, 1), date(2027, 1, 1))
print("recurring-ical-events:", *sorted(f"{event.start:%a-%d}" for event in found))
print("dateutil:", *(f"{day:%a-%d}" for day in rrulestr(rule, dtstart=datetime(2026, 3, 2, 20))))
PY
cat > "$dir/look.mjs" <<'JS'
import ICAL from 'ical.js';

const days = ICAL.Recur.fromString('FREQ=WEEKLY;BYDAY=TU;COUNT=3').iterator(ICAL.Time.fromDateTimeString('2026-03-02T20:00:00'));
const seen = [];
for (let day = days.next(); day; day = days.next()) seen.push(day.toString().slice(8, 10));
console.log('ical.js:', ...seen);
JS
node "$dir/look.mjs" >> "$dir/seen"
cat "$dir/seen"

diff - "$dir/seen" <<'EXPECTED' || { echo "a library counts sessions another way than it did." >&2; exit 1; }
recurring-ical-events: Mon-02 Tue-03 Tue-10 Tue-17
dateutil: Tue-03 Tue-10 Tue-17
ical.js: 03 10 17
EXPECTED
