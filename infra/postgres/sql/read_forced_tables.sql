-- The tables of this schema whose owner is held to row-level security, too.
SELECT c.relname::text FROM pg_class AS c
WHERE c.relnamespace = current_schema::regnamespace AND c.relkind = 'r' AND c.relforcerowsecurity
ORDER BY c.relname
