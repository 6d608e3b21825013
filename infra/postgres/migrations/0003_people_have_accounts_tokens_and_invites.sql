SET LOCAL lock_timeout = '3s';

-- name_key is the name as the service compares names (NFKC, case folded).
CREATE TABLE accounts (
    account_id uuid NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    password_hash text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (account_id),
    UNIQUE (name_key)
);

-- Tokens are kept as hashes only. Revoked ones stay, so that their owner sees them.
CREATE TABLE tokens (
    token_id uuid NOT NULL,
    account_id uuid NOT NULL REFERENCES accounts,
    label text NOT NULL,
    token_hash bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    last_used_at timestamptz,
    revoked_at timestamptz,
    PRIMARY KEY (token_id),
    UNIQUE (token_hash)
);

CREATE INDEX tokens_account_id_idx ON tokens (account_id);

-- An invite is looked up in its campaign, whose id its code carries: no unique key spans campaigns.
CREATE TABLE invites (
    campaign_id uuid NOT NULL,
    invite_id uuid NOT NULL,
    code_hash bytea NOT NULL,
    role text NOT NULL CHECK (role IN ('gm', 'player', 'observer')),
    created_by uuid NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    PRIMARY KEY (campaign_id, invite_id),
    UNIQUE (campaign_id, code_hash)
);

GRANT SELECT, INSERT ON accounts, tokens, invites TO fieldlog_service;
GRANT UPDATE (last_used_at, revoked_at) ON tokens TO fieldlog_service;
GRANT UPDATE (revoked_at) ON invites TO fieldlog_service;
