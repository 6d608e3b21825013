-- Whether a commit is confirmed only when a standby has it, too.
SELECT current_setting('synchronous_standby_names') <> '' AND current_setting('synchronous_commit') NOT IN ('off', 'local')
