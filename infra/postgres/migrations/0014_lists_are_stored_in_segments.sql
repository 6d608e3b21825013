SET LOCAL lock_timeout = '3s';

-- Lists are stored in segments of many rows instead of row by row: inserting these took more time than making them.
-- What was stored in the old way is forgotten, and folded anew by the workers.

-- Lists that people page through (the chronicle, the statement), as one audience may see them, in segments of many
-- rows: those of number n are of the events from n times 128 on. keys are what any row of the segment is found by, all
-- of them personal to the campaign; parts hold the rows, one part for each time that some were added, and ends how far
-- the views had followed the log by then. Parts are packed already: looking through them for what could be packed
-- again takes longer than storing them.
CREATE TABLE view_segments (
    campaign_id uuid NOT NULL,
    audience text NOT NULL,
    view text NOT NULL,
    number bigint NOT NULL,
    keys text [] NOT NULL,
    parts bytea [] NOT NULL,
    ends bigint [] NOT NULL,
    PRIMARY KEY (campaign_id, audience, view, number)
);

ALTER TABLE view_segments ALTER COLUMN parts SET STORAGE EXTERNAL;

GRANT SELECT, INSERT, UPDATE, DELETE ON view_segments TO fieldlog_service;

ALTER TABLE view_segments ENABLE ROW LEVEL SECURITY;
ALTER TABLE view_segments FORCE ROW LEVEL SECURITY;
CREATE POLICY named_campaigns ON view_segments
USING (campaign_id = ANY((SELECT nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])::uuid []));

TRUNCATE stored_folds;
UPDATE campaign_heads SET caught_up = 0;
DROP TABLE view_rows;
