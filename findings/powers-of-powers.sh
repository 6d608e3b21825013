#!/usr/bin/env bash
# Guessed: 2**3**2 is 2**9 = 512 and -2**2 is -4 in jinja2, as in Python, and 512 in Roll20's notation, too.
# So is:   jinja2 3.1.6 and the Roll20 grammar of dice-roller-parser 0.1.8 go from the left and take the sign first:
#          64 and 4. In jinja2 the sign comes before a filter, too: -1|abs is 1, not -1.
# Matters: a formula that a table types once (damage falls with the square) gives other numbers on the page than in the
#          service. Write the brackets, always.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check 'jinja2==3.1.6' 'markupsafe==3.0.4'
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$dir" 'dice-roller-parser@0.1.8'

"$dir/venv/bin/python" - > "$dir/seen" <<'PY'
import jinja2

environment = jinja2.Environment()
for text in ["2**3**2", "-2**2"]:
    print(text, "Python:", eval(text), "jinja2:", environment.compile_expression(text)())
print("-1|abs", "jinja2:", environment.compile_expression("-1|abs")())
PY
cat > "$dir/look.mjs" <<'JS'
import { createRequire } from 'node:module';

const { DiceRoller } = createRequire(import.meta.url)('dice-roller-parser');
for (const text of ['2**3**2', '-2**2']) console.log(text, 'dice-roller-parser:', new DiceRoller().rollValue(text));
JS
node "$dir/look.mjs" >> "$dir/seen"
cat "$dir/seen"

diff - "$dir/seen" <<'EXPECTED' || { echo "jinja2 or dice-roller-parser reads powers another way than it did." >&2; exit 1; }
2**3**2 Python: 512 jinja2: 64
-2**2 Python: -4 jinja2: 4
-1|abs jinja2: 1
2**3**2 dice-roller-parser: 64
-2**2 dice-roller-parser: 4
EXPECTED
