#!/usr/bin/env bash
# Guessed: a timestamptz becomes a Date with the same moment, and infinity an invalid Date.
# So is:   PGlite 0.5.16 gives the text of PostgreSQL to the engine's own parser: the first of March in the year 12 becomes
#          3 December 2001, without an error; a plain date of that year is right. Infinity is no Date at all,
#          but the number Infinity, so the type of a column changes with its rows.
# Matters: an embedded copy of a campaign shows history in the wrong millennium. Ask for such columns as
#          text (::text), and read them yourself.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$dir" '@electric-sql/pglite@0.5.16'

cat > "$dir/look.mjs" <<'JS'
import { PGlite } from '@electric-sql/pglite';

const database = await PGlite.create();
for (const value of ["timestamptz '2187-03-01 00:00Z'", "timestamptz '0012-03-01 00:00Z'", "date '0012-03-01'", "timestamptz 'infinity'"]) {
  const { rows } = await database.query(`SELECT ${value} AS seen`);
  console.log(value, 'is', rows[0].seen instanceof Date ? rows[0].seen.toISOString() : `the ${typeof rows[0].seen} ${rows[0].seen}`);
}
JS
TZ=UTC node "$dir/look.mjs" > "$dir/seen"
cat "$dir/seen"

diff - "$dir/seen" <<'EXPECTED' || { echo "PGlite hands out early or endless dates another way than it did." >&2; exit 1; }
timestamptz '2187-03-01 00:00Z' is 2187-03-01T00:00:00.000Z
timestamptz '0012-03-01 00:00Z' is 2001-12-03T00:00:00.000Z
date '0012-03-01' is 0012-03-01T00:00:00.000Z
timestamptz 'infinity' is the number Infinity
EXPECTED
