SET LOCAL lock_timeout = '3s';

-- What names look like, each once: an account that is made needs looks that no other has. Of those that were there
-- before, the first one has them.
CREATE TABLE account_looks (
    looks text NOT NULL,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    PRIMARY KEY (looks)
);

CREATE INDEX account_looks_account_id_idx ON account_looks (account_id);

-- Whether account_looks has been told of it: before the first account is made, it is told of all.
ALTER TABLE accounts ADD COLUMN looks_noted boolean NOT NULL DEFAULT false;
CREATE INDEX accounts_to_note_idx ON accounts (account_id) WHERE NOT looks_noted;

GRANT SELECT, INSERT ON account_looks TO fieldlog_service;
GRANT UPDATE (looks_noted) ON accounts TO fieldlog_service;
