-- The owner's tables in this schema that fieldlog_backup may not read, and those with row-level security that hides rows
-- from it. Tables of others are none of Fieldlog's, and nothing the owner could grant.
SELECT
    c.relname::text,
    NOT has_table_privilege('fieldlog_backup', c.oid, 'SELECT') AS is_closed,
    c.relrowsecurity AND NOT EXISTS (
        SELECT FROM pg_policy AS p WHERE p.polrelid = c.oid AND p.polname = 'backups_read_all'
    ) AS is_guarded
FROM pg_class AS c
WHERE
    c.relnamespace = current_schema::regnamespace AND c.relkind = 'r' AND pg_has_role(c.relowner, 'USAGE')
    AND (
        NOT has_table_privilege('fieldlog_backup', c.oid, 'SELECT')
        OR c.relrowsecurity AND NOT EXISTS (
            SELECT FROM pg_policy AS p WHERE p.polrelid = c.oid AND p.polname = 'backups_read_all'
        )
    )
ORDER BY c.relname
