#!/usr/bin/env bash
# Guessed: msgspec takes 1.0 and 1e2 in JSON for integers: JSON has one kind of number, and JSON Schema says
#          that 1.0 is an integer.
# So is:   msgspec 0.22.0 looks at the spelling: 1.0 and 1e2 are refused where an int is wanted, while the schema that msgspec
#          itself writes ({"type": "integer"}) accepts both in jsonschema. With strict=False they are read.
# Matters: a client that checks its body against the published schema can still get a 400, and a tester that makes up
#          requests from the schema finds "valid" ones refused. The reference should say: no point, no exponent.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check 'msgspec==0.22.0' 'jsonschema==4.26.0'

"$dir/venv/bin/python" - > "$dir/seen" <<'PY'
import json

import jsonschema
import msgspec

schema = msgspec.json.schema(int)
for text in ["1", "1.0", "1e2"]:
    try:
        strict = f"reads {msgspec.json.decode(text, type=int)}"
    except msgspec.ValidationError as error:
        strict = f"says {error}"
    lax = msgspec.json.decode(text, type=int, strict=False)
    valid = jsonschema.Draft202012Validator(schema).is_valid(json.loads(text))
    print(text, "| msgspec", strict, "| strict=False reads", lax, "| valid by its schema:", valid)
PY
cat "$dir/seen"

diff - "$dir/seen" <<'EXPECTED' || { echo "msgspec or jsonschema takes 1.0 for an integer another way than it did." >&2; exit 1; }
1 | msgspec reads 1 | strict=False reads 1 | valid by its schema: True
1.0 | msgspec says Expected `int`, got `float` | strict=False reads 1 | valid by its schema: True
1e2 | msgspec says Expected `int`, got `float` | strict=False reads 100 | valid by its schema: True
EXPECTED
