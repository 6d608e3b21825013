#!/usr/bin/env bash
# Guessed: 10/3*3 in a ledger is 10, or near enough to balance against -10.
# So is:   beancount 3.2.3 reckons with 28 digits, and amounts without a decimal point leave no room at all: the
#          transaction is refused for -0.000000000000000000000000001. 10*3/3 balances, and so does
#          10/3*3 against -10.00, because two digits after a point allow 0.005.
# Matters: a party that splits ten gold among three and writes sums into the file has to multiply before it divides;
#          how an amount is written decides what is near enough.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check 'beancount==3.2.3'

"$dir/venv/bin/python" - > "$dir/seen" <<'PY'
from beancount import loader

start = "2100-01-01 open Assets:Purse\n2100-01-01 open Income:Loot\n"
for amount, against in [("10/3*3", "-10"), ("10*3/3", "-10"), ("10/3*3", "-10.00")]:
    text = f'{start}2100-03-01 * "Loot"\n  Assets:Purse  {amount} GP\n  Income:Loot  {against} GP\n'
    entries, errors, options = loader.load_string(text)
    print(f"{amount} against {against}:", *[error.message for error in errors] or ["balances"])
PY
cat "$dir/seen"

diff - "$dir/seen" <<'EXPECTED' || { echo "beancount balances another way than it did." >&2; exit 1; }
10/3*3 against -10: Transaction does not balance: (-0.000000000000000000000000001 GP)
10*3/3 against -10: balances
10/3*3 against -10.00: balances
EXPECTED
