SET LOCAL lock_timeout = '3s';

-- The second wall: whatever a statement asks for, it sees and writes what people did in those campaigns only that it
-- named in fieldlog.campaigns (for its own transaction), and nothing where it named none. The owner is held to it too.
-- The setting is read once for each statement, not for each row. Heads, members and timers stay outside: looking for
-- work goes through all campaigns, and finds no content.
ALTER TABLE events ENABLE ROW LEVEL SECURITY;
ALTER TABLE events FORCE ROW LEVEL SECURITY;
CREATE POLICY named_campaigns ON events
USING (campaign_id = ANY((SELECT nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])::uuid []));

ALTER TABLE personal_text ENABLE ROW LEVEL SECURITY;
ALTER TABLE personal_text FORCE ROW LEVEL SECURITY;
CREATE POLICY named_campaigns ON personal_text
USING (campaign_id = ANY((SELECT nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])::uuid []));

ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotency_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY named_campaigns ON idempotency_keys
USING (campaign_id = ANY((SELECT nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])::uuid []));

ALTER TABLE stored_folds ENABLE ROW LEVEL SECURITY;
ALTER TABLE stored_folds FORCE ROW LEVEL SECURITY;
CREATE POLICY named_campaigns ON stored_folds
USING (campaign_id = ANY((SELECT nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])::uuid []));

ALTER TABLE kept_folds ENABLE ROW LEVEL SECURITY;
ALTER TABLE kept_folds FORCE ROW LEVEL SECURITY;
CREATE POLICY named_campaigns ON kept_folds
USING (campaign_id = ANY((SELECT nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])::uuid []));

ALTER TABLE view_rows ENABLE ROW LEVEL SECURITY;
ALTER TABLE view_rows FORCE ROW LEVEL SECURITY;
CREATE POLICY named_campaigns ON view_rows
USING (campaign_id = ANY((SELECT nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])::uuid []));
