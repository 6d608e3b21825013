#!/usr/bin/env bash
# Guessed: js-yaml reads 2187-03-01 as a date and joins what "<<" names, as it did in version 4; only 1_000 has become text.
# So is:   js-yaml 5.5.0 does neither: the date is text, and "<<" is a key like any other. What is read
#          raises nothing; it is only another tree. PyYAML still does both.
# Matters: a catalogue of weapons that shares lines by "<<" loads without an error and without the shared lines.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$dir" 'js-yaml@5.5.0' 'js-yaml-4@npm:js-yaml@4.1.0'

cat > "$dir/look.mjs" <<'JS'
import * as five from 'js-yaml';
import four from 'js-yaml-4';

const show = (value) => (value instanceof Date ? 'a Date' : JSON.stringify(value));
for (const text of ['2187-03-01', '1_000', '{<<: {range: 3}, name: lance}']) {
  console.log(text, 'in 4:', show(four.load(text)), 'in 5:', show(five.load(text)));
}
JS
node "$dir/look.mjs" > "$dir/seen"
cat "$dir/seen"

diff - "$dir/seen" <<'EXPECTED' || { echo "js-yaml reads dates, underscores or merge keys another way than it did." >&2; exit 1; }
2187-03-01 in 4: a Date in 5: "2187-03-01"
1_000 in 4: 1000 in 5: "1_000"
{<<: {range: 3}, name: lance} in 4: {"range":3,"name":"lance"} in 5: {"<<":{"range":3},"name":"lance"}
EXPECTED
