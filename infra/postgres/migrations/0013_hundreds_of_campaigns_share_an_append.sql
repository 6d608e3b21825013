SET LOCAL lock_timeout = '3s';

-- What an append of hundreds of campaigns writes is looked for in a set that is hashed once: in a list, each row would
-- be compared with every campaign that was named.
ALTER POLICY named_campaigns ON events
USING (campaign_id IN (SELECT unnest(nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])));
ALTER POLICY named_campaigns ON personal_text
USING (campaign_id IN (SELECT unnest(nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])));
ALTER POLICY named_campaigns ON idempotency_keys
USING (campaign_id IN (SELECT unnest(nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])));

-- Whether its views are behind stays as it is from one append of a busy campaign to the next, and so do the indexes of
-- its head: none of them rests on what an append rewrites.
ALTER TABLE campaign_heads ADD COLUMN behind boolean GENERATED ALWAYS AS (seq > caught_up) STORED;
DROP INDEX campaign_heads_ahead_idx;
CREATE INDEX campaign_heads_behind_idx ON campaign_heads (campaign_id) WHERE behind;
