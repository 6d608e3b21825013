SET LOCAL lock_timeout = '3s';

-- How often something was erased in a campaign: what was folded before the last time is not stored any more.
ALTER TABLE campaign_heads ADD COLUMN erasures bigint NOT NULL DEFAULT 0;

GRANT UPDATE (erasures) ON campaign_heads TO fieldlog_service;
-- Of the texts of one event some may go and others stay; answers that are kept for repetitions lose them, too.
GRANT UPDATE (texts) ON personal_text TO fieldlog_service;
GRANT UPDATE (request_hash, answer) ON idempotency_keys TO fieldlog_service;
