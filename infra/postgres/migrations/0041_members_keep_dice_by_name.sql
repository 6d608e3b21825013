SET LOCAL lock_timeout = '3s';

-- Dice that a member keeps by name (JSON, empty: none), for nobody else. They stand beside the membership, so that they
-- go with it: when the member leaves, and when the account or the campaign goes.
ALTER TABLE campaign_members ADD COLUMN saved_rolls bytea NOT NULL DEFAULT '';

GRANT UPDATE (saved_rolls) ON campaign_members TO fieldlog_service;
