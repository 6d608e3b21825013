#!/usr/bin/env bash
# Guessed: is_dangerous asks whether a letter of a second script looks like one of the first. A Greek omega or a
#          Japanese sign beside Latin letters looks like none of them, so it is harmless.
# So is:   confusable-homoglyphs 3.3.1 asks whether the name mixes scripts and whether any letter in it has a twin
#          anywhere. Nearly every Latin letter has one, so it is the Latin letters that make a mixed name dangerous.
# Matters: a table of names refused by this function alone refuses "Omega Ω" and "Ana 日". Who wants to know
#          whether two names look the same has to compare them, not to ask about one.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check 'confusable-homoglyphs==3.3.1'

"$dir/venv/bin/python" - > "$dir/seen" <<'PY'
from confusable_homoglyphs import confusables

for name in ["Ana", "Ω", "Omega Ω", "日", "Ana 日", "5 Ω"]:
    print(name, "is", "dangerous" if confusables.is_dangerous(name) else "harmless")
PY
cat "$dir/seen"

diff - "$dir/seen" <<'EXPECTED' || { echo "confusable-homoglyphs calls other names dangerous than it did." >&2; exit 1; }
Ana is harmless
Ω is harmless
Omega Ω is dangerous
日 is harmless
Ana 日 is dangerous
5 Ω is harmless
EXPECTED
