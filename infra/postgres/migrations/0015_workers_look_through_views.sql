SET LOCAL lock_timeout = '3s';

-- What was still outside the second wall. Workers look for what is due in all campaigns: for that there are views of
-- the owner's, which is why the owner is not held to the wall of these two tables. They show which campaign and when,
-- and nothing of what was found or why it failed; of a timer, only when to look after it can be changed there.
ALTER TABLE timers ENABLE ROW LEVEL SECURITY;
CREATE POLICY named_campaigns ON timers
USING (campaign_id IN (SELECT unnest(nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])));

CREATE VIEW due_timers AS
SELECT campaign_id, cause, subject, wake_at, parked_at FROM timers;

GRANT SELECT, UPDATE (wake_at) ON due_timers TO fieldlog_service;

ALTER TABLE ledger_checks ENABLE ROW LEVEL SECURITY;
CREATE POLICY named_campaigns ON ledger_checks
USING (campaign_id = ANY((SELECT nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])::uuid []));

CREATE VIEW checked_ledgers AS
SELECT campaign_id, seq, drifting FROM ledger_checks;

GRANT SELECT ON checked_ledgers TO fieldlog_service;

ALTER TABLE dice_seeds ENABLE ROW LEVEL SECURITY;
ALTER TABLE dice_seeds FORCE ROW LEVEL SECURITY;
CREATE POLICY named_campaigns ON dice_seeds
USING (campaign_id IN (SELECT unnest(nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])));
