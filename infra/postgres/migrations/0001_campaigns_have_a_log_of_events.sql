SET LOCAL lock_timeout = '3s';

-- One row per campaign: where its log ends. Rewritten by every append, so half of each page stays free
-- for the next version of a row, and no index but the key's hangs on it.
CREATE TABLE campaign_heads (
    campaign_id uuid NOT NULL,
    seq bigint NOT NULL CHECK (seq > 0),
    recorded_at bigint NOT NULL,
    hash bytea NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (campaign_id)
) WITH (fillfactor = 50);

-- body and command are bytes, not jsonb: jsonb does not keep them and halves the speed of a rebuild.
CREATE TABLE events (
    campaign_id uuid NOT NULL,
    seq bigint NOT NULL CHECK (seq > 0),
    recorded_at bigint NOT NULL,
    game_time bigint NOT NULL,
    kind_version integer NOT NULL,
    action_id uuid NOT NULL,
    actor uuid,
    kind text NOT NULL,
    cause text NOT NULL,
    visibility text NOT NULL,
    salt bytea NOT NULL,
    hash bytea NOT NULL,
    command bytea,
    body bytea NOT NULL,
    PRIMARY KEY (campaign_id, seq)
);

-- The events of one action. The only index beside the key: each one costs every append.
CREATE INDEX events_action_id_idx ON events (campaign_id, action_id);

-- What people wrote in their own words lies beside the log, so that it can be erased; the event's body
-- holds its salted hash.
CREATE TABLE personal_text (
    campaign_id uuid NOT NULL,
    seq bigint NOT NULL,
    salt bytea NOT NULL,
    texts bytea NOT NULL,
    PRIMARY KEY (campaign_id, seq)
);

CREATE TABLE idempotency_keys (
    campaign_id uuid NOT NULL,
    account_id uuid NOT NULL,
    key text NOT NULL,
    request_hash bytea NOT NULL,
    action_id uuid NOT NULL,
    answer bytea NOT NULL,
    PRIMARY KEY (campaign_id, account_id, key)
);

CREATE TABLE campaign_members (
    campaign_id uuid NOT NULL,
    account_id uuid NOT NULL,
    role text NOT NULL CHECK (role IN ('gm', 'player', 'observer')),
    PRIMARY KEY (campaign_id, account_id)
);

CREATE INDEX campaign_members_account_id_idx ON campaign_members (account_id, campaign_id);

GRANT SELECT, INSERT ON campaign_heads, events, personal_text, idempotency_keys, campaign_members
TO fieldlog_service;
GRANT UPDATE (seq, recorded_at, hash) ON campaign_heads TO fieldlog_service;
GRANT DELETE ON personal_text TO fieldlog_service;
GRANT UPDATE (role), DELETE ON campaign_members TO fieldlog_service;
