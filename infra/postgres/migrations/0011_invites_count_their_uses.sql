SET LOCAL lock_timeout = '3s';

-- How many came in by an invite, of how many at most (null: any number).
ALTER TABLE invites ADD COLUMN uses integer NOT NULL DEFAULT 0;
ALTER TABLE invites ADD COLUMN uses_max integer CHECK (uses_max > 0);

GRANT UPDATE (uses) ON invites TO fieldlog_service;
-- A password can be changed, by whoever says the old one.
GRANT UPDATE (password_hash) ON accounts TO fieldlog_service;
