SET LOCAL lock_timeout = '3s';

-- From when on the account cannot be used; NULL: it can.
ALTER TABLE accounts ADD COLUMN disabled_at timestamptz;

GRANT UPDATE (disabled_at) ON accounts TO fieldlog_service;

-- A link by which an account gets another password, once. A new one takes the place of the old one.
CREATE TABLE account_resets (
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    code_hash bytea NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (account_id),
    UNIQUE (code_hash)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON account_resets TO fieldlog_service;

-- What who runs the service did by the command line, and to whom or what: by id, so that no name outlives its erasure.
-- done_by is a user of the machine. refused: the code of the refusal, where it was refused.
CREATE TABLE host_actions (
    host_action_id uuid NOT NULL,
    done_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    done_by text NOT NULL,
    command text NOT NULL,
    account uuid,
    campaign uuid,
    refused text,
    PRIMARY KEY (host_action_id)
);

CREATE INDEX host_actions_done_at_idx ON host_actions (done_at, host_action_id);

GRANT SELECT, INSERT ON host_actions TO fieldlog_service;

CREATE FUNCTION refuse_change_of_host_actions() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'what hosts did is append-only: % is refused', tg_op
    USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER host_actions_are_append_only
BEFORE UPDATE OR DELETE OR TRUNCATE ON host_actions
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_host_actions();

ALTER TABLE host_actions ENABLE ALWAYS TRIGGER host_actions_are_append_only;
