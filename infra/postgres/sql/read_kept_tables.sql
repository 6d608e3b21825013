-- The tables of this schema with their columns, in the order in which they can be filled: those that others refer to
-- come first.
WITH RECURSIVE own AS (
    SELECT c.oid, c.relname FROM pg_class AS c
    WHERE c.relnamespace = current_schema::regnamespace AND c.relkind = 'r'
),

depths AS (
    SELECT own.oid, 0 AS depth FROM own
    UNION
    SELECT r.conrelid, d.depth + 1 FROM depths AS d
    INNER JOIN pg_constraint AS r ON r.confrelid = d.oid AND r.contype = 'f' AND r.conrelid <> r.confrelid
    WHERE d.depth < 20
)

SELECT
    own.relname::text,
    (
        SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute AS a
        WHERE a.attrelid = own.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    ),
    has_table_privilege(own.oid, 'SELECT')
FROM own
INNER JOIN depths AS d ON d.oid = own.oid
GROUP BY own.oid, own.relname
ORDER BY max(d.depth), own.relname
