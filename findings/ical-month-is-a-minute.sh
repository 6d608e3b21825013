#!/usr/bin/env bash
# Guessed: calendar files have no durations of months (RFC 5545 stops at weeks), so P1M is an error.
# So is:   vobject 0.9.9 and ical.js 2.2.1 take the T for optional and read P1M, a month in ISO 8601, as one minute.
#          icalendar 7.3.2 raises nothing either: it keeps the text and leaves a note in the event's errors.
# Matters: a timer of a month, written by a tool that thinks in ISO 8601, rings after sixty seconds.
#          Who writes DURATION has to turn months into days first.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check 'icalendar==7.3.2' 'vobject==0.9.9'
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$dir" 'ical.js@2.2.1'

"$dir/venv/bin/python" - > "$dir/seen" <<'PY'
import icalendar
import vobject

lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:VEVENT", "UID:1", "DTSTAMP:21870301T100000Z"]
lines += ["DTSTART:21870301T100000Z", "DURATION:P1M", "END:VEVENT", "END:VCALENDAR", ""]
text = "\r\n".join(lines)
print("vobject:", vobject.readOne(text).vevent.duration.value)
event = icalendar.Calendar.from_ical(text).walk("VEVENT")[0]
print("icalendar:", event["DURATION"].to_ical().decode(), "with", len(event.errors), "error in its list")
PY
cat > "$dir/look.mjs" <<'JS'
import ICAL from 'ical.js';

console.log('ical.js:', ICAL.Duration.fromString('P1M').toSeconds(), 'seconds');
JS
node "$dir/look.mjs" >> "$dir/seen"
cat "$dir/seen"

diff - "$dir/seen" <<'EXPECTED' || { echo "a library reads DURATION:P1M another way than it did." >&2; exit 1; }
vobject: 0:01:00
icalendar: P1M with 1 error in its list
ical.js: 60 seconds
EXPECTED
