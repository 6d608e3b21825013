SET LOCAL lock_timeout = '3s';

-- How far an accountant has added up the entries of a campaign's log by itself, what came of it (balances, JSON),
-- and where ledger, sheets and log did not say the same (drift, a JSON list).
CREATE TABLE ledger_checks (
    campaign_id uuid NOT NULL,
    seq bigint NOT NULL,
    checked_at bigint NOT NULL,
    balances bytea NOT NULL,
    drift bytea NOT NULL,
    drifting boolean NOT NULL,
    PRIMARY KEY (campaign_id)
);

CREATE INDEX ledger_checks_drifting_idx ON ledger_checks (campaign_id) WHERE drifting;

GRANT SELECT, INSERT, UPDATE, DELETE ON ledger_checks TO fieldlog_service;
