SET LOCAL lock_timeout = '3s';

-- How far the stored views of a campaign have followed its log. The index holds only the campaigns whose
-- log is ahead of that, so that looking for work costs what there is to do.
ALTER TABLE campaign_heads
ADD COLUMN caught_up bigint NOT NULL DEFAULT 0;

CREATE INDEX campaign_heads_ahead_idx ON campaign_heads (campaign_id) WHERE seq > caught_up;

GRANT UPDATE (caught_up) ON campaign_heads TO fieldlog_service;

-- The fold of a campaign for one audience ('gm', 'table', 'account:…') as of seq. form names the shape of the
-- code that wrote it: another shape does not read it, but folds anew.
CREATE TABLE stored_folds (
    campaign_id uuid NOT NULL,
    audience text NOT NULL,
    seq bigint NOT NULL,
    form text NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (campaign_id, audience)
);

-- Lists that people page through (the chronicle, the statement), as one audience may see them: keys are what
-- they are filtered by, all of them personal to the campaign.
CREATE TABLE view_rows (
    campaign_id uuid NOT NULL,
    audience text NOT NULL,
    view text NOT NULL,
    seq bigint NOT NULL,
    nth integer NOT NULL,
    keys text [] NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (campaign_id, audience, view, seq, nth)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON stored_folds TO fieldlog_service;
GRANT SELECT, INSERT, DELETE ON view_rows TO fieldlog_service;
