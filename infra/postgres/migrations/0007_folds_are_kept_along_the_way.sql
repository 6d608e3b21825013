SET LOCAL lock_timeout = '3s';

-- Folds of a campaign for one audience as of many seqs, so that any moment of the past is near one of them.
CREATE TABLE kept_folds (
    campaign_id uuid NOT NULL,
    audience text NOT NULL,
    seq bigint NOT NULL,
    form text NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (campaign_id, audience, seq)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON kept_folds TO fieldlog_service;

-- Undos and redos change which earlier events count: every fold asks for them, and mostly there are none.
CREATE INDEX events_rewrites_idx ON events (campaign_id, seq)
WHERE kind IN ('campaign.action_undone', 'campaign.action_redone');
