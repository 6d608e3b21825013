-- Sets for this session what its login does not bring already, and says whether campaigns are shared out to shards. Behind
-- a pooler that shares sessions between clients, where the login brings all of it, nothing is set that the next client
-- would find. Citus finds the shards of a statement by its arguments, and refuses a plan that is made without them.
SELECT
    count(set_config(wanted.name, wanted.value, false)),
    to_regclass('distributed_tables') IS NOT NULL
FROM
    (
        SELECT
            given.name,
            CASE
                WHEN given.name = 'plan_cache_mode' AND to_regclass('distributed_tables') IS NOT NULL THEN 'auto'
                ELSE given.value
            END AS value
        FROM unnest(:names::text[], :values::text[]) AS given (name, value)
    ) AS wanted
WHERE current_setting(wanted.name) <> wanted.value
