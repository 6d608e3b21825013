#!/usr/bin/env bash
# Guessed: a number in another country's writing is an error: 1,234.5 read as German, or 1.234 read as French
#          (where the point means nothing).
# So is:   babel 2.19.0 takes out every grouping sign, wherever it stands, then turns the decimal sign into a
#          point: 1,234.5 is 1.2345 in German (a thousandth), and French lets the point through.
#          strict=True, which you have to ask for, refuses most of this, though not that point; but it refuses the
#          plain space between thousands, too, which French people type where CLDR has a narrow one.
# Matters: a price field that reads money with babel gets another price, without a word.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check 'babel==2.19.0'

"$dir/venv/bin/python" - > "$dir/seen" <<'PY'
from babel.numbers import NumberFormatError, parse_decimal

for text, locale in [("1,234.5", "de"), ("1.234", "fr"), ("1 234,5", "fr"), ("1,2,3", "en")]:
    print(text, "in", locale, "is", parse_decimal(text, locale=locale), end="; strict: ")
    try:
        print(parse_decimal(text, locale=locale, strict=True))
    except NumberFormatError:
        print("refused")
PY
cat "$dir/seen"

diff - "$dir/seen" <<'EXPECTED' || { echo "babel reads numbers of other countries another way than it did." >&2; exit 1; }
1,234.5 in de is 1.2345; strict: refused
1.234 in fr is 1.234; strict: 1.234
1 234,5 in fr is 1234.5; strict: refused
1,2,3 in en is 123; strict: refused
EXPECTED
