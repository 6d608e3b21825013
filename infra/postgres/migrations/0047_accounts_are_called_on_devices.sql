SET LOCAL lock_timeout = '3s';

-- Browsers that are called while a table waits for the account that is signed in there (sealed: where the push service
-- takes messages for the browser, and the browser's keys, encrypted). A device goes with its sign-in. places says for each
-- campaign up to which seq the account was called or has seen the table, and up to which it had the table in sight; no
-- call is stored. A worker that looks moves due_at on and holds the device until then; after a day of failures it is
-- parked. Moments are microseconds UTC.
CREATE TABLE account_devices (
    token_id uuid NOT NULL REFERENCES tokens ON DELETE CASCADE,
    account_id uuid NOT NULL,
    endpoint_hash bytea NOT NULL,
    host text NOT NULL,
    sealed bytea NOT NULL,
    with_words boolean NOT NULL,
    language text NOT NULL,
    created_at bigint NOT NULL,
    places jsonb NOT NULL,
    attempts integer NOT NULL,
    due_at bigint NOT NULL,
    failing_since bigint,
    parked_at bigint,
    fault text,
    PRIMARY KEY (token_id)
);

CREATE INDEX account_devices_account_id_idx ON account_devices (account_id);

CREATE INDEX account_devices_endpoint_hash_idx ON account_devices (endpoint_hash);

GRANT SELECT, INSERT, UPDATE, DELETE ON account_devices TO fieldlog_service;
