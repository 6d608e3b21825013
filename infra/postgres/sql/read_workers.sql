-- The workers that are connected to this database, and the queues that each serves, as the names of their connections say.
SELECT DISTINCT split_part(application_name, ' ', 2), split_part(application_name, ' ', 3)
FROM pg_stat_activity
WHERE datname = current_database() AND application_name LIKE 'fieldlog-worker %'
