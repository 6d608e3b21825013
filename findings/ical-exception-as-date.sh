#!/usr/bin/env bash
# Guessed: an EXDATE that is only a date takes nothing out of sessions that have a time: kinds of values must match.
#          The same moment written in UTC takes it out.
# So is:   recurring-ical-events 3.8.2 takes out the session for both, and for a time without a zone. rrule 2.8.1 looks at
#          the clock only: 20:00 without a zone takes out 20:00 in Paris, the same moment in UTC does
#          not, and a date takes out nothing.
# Matters: players see a cancelled session in one calendar and not in the other. The form to write is the one with the
#          zone of the event: both read it.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check 'recurring-ical-events==3.8.2' 'icalendar==7.3.2'
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$dir" 'rrule@2.8.1'

"$dir/venv/bin/python" - > "$dir/seen" <<'PY'
from datetime import date

import icalendar
import recurring_ical_events

for exception in [";VALUE=DATE:20260309", ":20260309T200000", ";TZID=Europe/Paris:20260309T200000", ":20260309T190000Z"]:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:VEVENT", "UID:1", "DTSTAMP:20260301T100000Z"]
    lines += ["DTSTART;TZID=Europe/Paris:20260302T200000", "DURATION:PT3H", "RRULE:FREQ=WEEKLY;COUNT=3"]
    lines += [f"EXDATE{exception}", "END:VEVENT", "END:VCALENDAR", ""]
    calendar = icalendar.Calendar.from_ical("\r\n".join(lines))
    found = recurring_ical_events.of(calendar).between(date(2026, 1, 1), date(2027, 1, 1))
    print(f"recurring-ical-events, EXDATE{exception}:", len(found), "sessions")
PY
cat > "$dir/look.mjs" <<'JS'
import rrule from 'rrule';

for (const exception of [';VALUE=DATE:20260309', ':20260309T200000', ';TZID=Europe/Paris:20260309T200000', ':20260309T190000Z']) {
  const rule = `DTSTART;TZID=Europe/Paris:20260302T200000\nRRULE:FREQ=WEEKLY;COUNT=3\nEXDATE${exception}`;
  let seen;
  try { seen = `${rrule.rrulestr(rule).all().length} sessions`; } catch (error) { seen = 'refused'; }
  console.log(`rrule, EXDATE${exception}:`, seen);
}
JS
TZ=UTC node "$dir/look.mjs" >> "$dir/seen"
cat "$dir/seen"

diff - "$dir/seen" <<'EXPECTED' || { echo "a library takes exceptions out of a rule another way than it did." >&2; exit 1; }
recurring-ical-events, EXDATE;VALUE=DATE:20260309: 2 sessions
recurring-ical-events, EXDATE:20260309T200000: 2 sessions
recurring-ical-events, EXDATE;TZID=Europe/Paris:20260309T200000: 2 sessions
recurring-ical-events, EXDATE:20260309T190000Z: 2 sessions
rrule, EXDATE;VALUE=DATE:20260309: 3 sessions
rrule, EXDATE:20260309T200000: 2 sessions
rrule, EXDATE;TZID=Europe/Paris:20260309T200000: 2 sessions
rrule, EXDATE:20260309T190000Z: 3 sessions
EXPECTED
