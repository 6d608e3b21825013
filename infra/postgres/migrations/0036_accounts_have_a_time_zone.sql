SET LOCAL lock_timeout = '3s';

-- The time zone (such as Europe/Paris) in which an account is told times; NULL: it does not say.
ALTER TABLE accounts ADD COLUMN time_zone text;
GRANT UPDATE (time_zone) ON accounts TO fieldlog_service;
