SET LOCAL lock_timeout = '3s';

-- What accounts asked to have erased: their words in every campaign, or (from due_at on) themselves. It has come to
-- after_campaign, and stays until it is done. name is what others may still read of an account that is gone.
CREATE TABLE account_erasures (
    account_id uuid NOT NULL,
    what text NOT NULL CHECK (what IN ('texts', 'account')),
    asked_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL,
    with_texts boolean NOT NULL,
    begun_at timestamptz,
    name text,
    after_campaign uuid NOT NULL,
    texts bigint NOT NULL DEFAULT 0,
    claimed_until timestamptz,
    PRIMARY KEY (account_id, what)
);

CREATE INDEX account_erasures_due_at_idx ON account_erasures (due_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON account_erasures TO fieldlog_service;
GRANT DELETE ON accounts, tokens TO fieldlog_service;
