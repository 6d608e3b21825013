-- The tables that have a column campaign_id.
SELECT t.table_name::text
FROM information_schema.tables AS t
INNER JOIN information_schema.columns AS c
    ON t.table_schema = c.table_schema AND t.table_name = c.table_name
WHERE t.table_schema = current_schema AND t.table_type = 'BASE TABLE' AND c.column_name = 'campaign_id'
ORDER BY t.table_name
