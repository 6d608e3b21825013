#!/usr/bin/env bash
# Guessed: an integer is written the same way in the path and in the query: 1.0 and 1e2 are refused in both, and of
#          ?n=1&n=2 neither is taken for a single number.
# So is:   litestar 2.25.0 reads paths with Python's int() (007, +5 and 1_000 are numbers, 1e2 is not) and queries with msgspec
#          (1.0 and 1e2 are numbers, 007 and 1_000 are not). Of two values in the query the last is taken.
# Matters: a link that is moved from /rolls/{n} to ?n= stops to work for some spellings and starts for others; whoever
#          uses the raw spelling as a key for a cache or a limit gets more keys than things.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check 'litestar==2.25.0' 'msgspec==0.22.0' 'httpx==0.28.1'

"$dir/venv/bin/python" - > "$dir/seen" <<'PY'
from litestar import Litestar, get
from litestar.testing import TestClient


@get("/path/{n:int}")
async def path(n: int) -> int:
    return n


@get("/query")
async def query(n: int) -> int:
    return n


with TestClient(Litestar([path, query])) as client:
    for text in ["7", "007", "1_000", "1.0", "1e2"]:
        answers = [client.get(f"/path/{text}"), client.get(f"/query?n={text}")]
        print(text, *(answer.text if answer.status_code == 200 else answer.status_code for answer in answers))
    print("n=1&n=2", client.get("/query?n=1&n=2").text)
PY
cat "$dir/seen"

diff - "$dir/seen" <<'EXPECTED' || { echo "litestar reads integers of paths or queries another way than it did." >&2; exit 1; }
7 7 7
007 7 400
1_000 1000 400
1.0 404 1
1e2 404 100
n=1&n=2 2
EXPECTED
