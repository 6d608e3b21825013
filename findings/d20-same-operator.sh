#!/usr/bin/env bash
# Guessed: operators on dice work one after the other, so ph1ph1 (drop the highest, twice) drops two dice.
# So is:   d20 1.1.2 joins neighbours of the same kind into one operator with two selectors, and both look at all dice:
#          ph1ph1 picks the same die twice and drops one, kh1kl1 keeps the highest and the lowest.
#          With another operator in between, both are done: ph1kh4ph1 drops two.
# Matters: text that a program puts together (a house rule that appends "ph1" to a player's roll) can do
#          nothing at all, and nobody sees it in the total.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check 'd20==1.1.2'

"$dir/venv/bin/python" - > "$dir/seen" <<'PY'
import d20

for text in ["ph1", "ph1ph1", "ph1kh4ph1", "ph2", "kh1kl1", "kh3kl1"]:
    print(text, d20.roll(f"(1, 2, 3, 4){text}").total)
PY
cat "$dir/seen"

diff - "$dir/seen" <<'EXPECTED' || { echo "d20 combines operators another way than it did." >&2; exit 1; }
ph1 6
ph1ph1 6
ph1kh4ph1 3
ph2 3
kh1kl1 5
kh3kl1 10
EXPECTED
