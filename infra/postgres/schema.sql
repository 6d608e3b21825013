-- The sum of the migrations, for reading: a test proves that it is.

-- One row per campaign: where its log ends, and how far the stored views have followed it. Rewritten by every append,
-- so half of each page stays free for the next version of a row, and no index rests on what is rewritten: whether views
-- are behind stays as it is from one append of a busy campaign to the next. erasures counts how often something was
-- erased or views were invalidated: what was folded before the last time is not stored any more. gone_at: from when on
-- a deleted campaign may be purged (microseconds UTC); null: it is not deleted. It stands here because every append
-- locks this row, and nothing else need be read to refuse. form: in which one its views are stored, or are being folded
-- just now. bytes: how many its events and the words in them take, up to measured_to. Whoever stores views adds what
-- came since.
CREATE TABLE campaign_heads (
    campaign_id uuid NOT NULL,
    seq bigint NOT NULL CHECK (seq > 0),
    recorded_at bigint NOT NULL,
    hash bytea NOT NULL CHECK (length(hash) = 32),
    caught_up bigint NOT NULL DEFAULT 0,
    behind boolean GENERATED ALWAYS AS (seq > caught_up) STORED,
    erasures bigint NOT NULL DEFAULT 0,
    gone_at bigint,
    form text NOT NULL DEFAULT '',
    bytes bigint NOT NULL DEFAULT 0,
    measured_to bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (campaign_id)
) WITH (fillfactor = 50);

-- Only the campaigns whose views are behind: looking for work costs what there is to do.
CREATE INDEX campaign_heads_behind_idx ON campaign_heads (campaign_id) WHERE behind;

-- For counting the views of another form among campaigns in which nothing happens: where something does, workers come
-- by anyway.
CREATE INDEX campaign_heads_form_idx ON campaign_heads (form) WHERE NOT behind AND gone_at IS NULL;

CREATE INDEX campaign_heads_gone_at_idx ON campaign_heads (gone_at) WHERE gone_at IS NOT NULL;

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

-- When the clock of a campaign moved, so that a date of its calendar leads to what had happened by then.
CREATE INDEX events_clock_idx ON events (campaign_id, seq) WHERE kind = 'campaign.calendar_advanced';

-- Whether a campaign hides anything, and from whom: events for everybody pay nothing for it.
CREATE INDEX events_hidden_idx ON events (campaign_id, visibility) WHERE visibility <> 'all';

-- Undos and redos change which earlier events count, reveals and who a person of an import is change who reads them:
-- every fold asks for them, and mostly there are none.
CREATE INDEX events_rewrites_idx ON events (campaign_id, seq)
WHERE kind IN (
    'campaign.action_undone', 'campaign.action_redone', 'campaign.action_revealed', 'campaign.person_identified'
);

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

-- saved_rolls: dice that a member keeps by name (JSON, empty: none), for nobody else. They stand beside the membership,
-- so that they go with it: when the member leaves, and when the account or the campaign goes. So does feed_hash: SHA-256
-- of the secret in the address of the member's calendar feed (NULL: there is none), and when it was made.
CREATE TABLE campaign_members (
    campaign_id uuid NOT NULL,
    account_id uuid NOT NULL,
    role text NOT NULL CHECK (role IN ('gm', 'player', 'observer')),
    saved_rolls bytea NOT NULL DEFAULT '',
    feed_hash bytea,
    feed_made_at timestamptz,
    PRIMARY KEY (campaign_id, account_id)
);

CREATE INDEX campaign_members_account_id_idx ON campaign_members (account_id, campaign_id);

GRANT SELECT, INSERT ON campaign_heads, events, personal_text, idempotency_keys, campaign_members
TO fieldlog_service;
GRANT UPDATE (seq, recorded_at, hash, caught_up, erasures, gone_at, form, bytes, measured_to) ON campaign_heads TO fieldlog_service;
GRANT UPDATE (texts), DELETE ON personal_text TO fieldlog_service;
GRANT UPDATE (request_hash, answer) ON idempotency_keys TO fieldlog_service;
GRANT UPDATE (role, saved_rolls, feed_hash, feed_made_at), DELETE ON campaign_members TO fieldlog_service;

-- The service's login has no right to do any of this; the triggers stop the owner and the superuser too.
-- They fire per statement, so that inserting pays nothing for them. Events go with their whole campaign only: an
-- owner who says so (fieldlog.purging) deletes those of campaigns whose time is over, and no others.
CREATE FUNCTION refuse_change_of_events() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF tg_op = 'DELETE' AND current_setting('fieldlog.purging', true) = 'on' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'events are append-only: % is refused', tg_op
    USING ERRCODE = 'restrict_violation',
    HINT = 'Undo is an event of its own; personal text is erased from personal_text.';
END
$$;

CREATE TRIGGER events_are_append_only
BEFORE UPDATE OR DELETE OR TRUNCATE ON events
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_events();

-- ALWAYS: also where session_replication_role says replica.
ALTER TABLE events ENABLE ALWAYS TRIGGER events_are_append_only;

CREATE FUNCTION refuse_to_purge_what_is_not_gone() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM campaign_heads AS h
    INNER JOIN seen_deletions AS s ON h.campaign_id = s.campaign_id
    WHERE
        h.campaign_id = old.campaign_id
        AND h.gone_at <= extract(EPOCH FROM clock_timestamp()) * 1000000
        AND s.purge_from <= extract(EPOCH FROM clock_timestamp()) * 1000000;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'events are append-only: campaign % is not to be purged', old.campaign_id
        USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN old;
END
$$;

CREATE TRIGGER events_go_with_their_campaign
BEFORE DELETE ON events
FOR EACH ROW WHEN (current_setting('fieldlog.purging', true) = 'on')
EXECUTE FUNCTION refuse_to_purge_what_is_not_gone();

ALTER TABLE events ENABLE ALWAYS TRIGGER events_go_with_their_campaign;

-- name_key is the name as the service compares names (NFKC, case folded). disabled_at: from when on the account cannot
-- be used; null: it can.
CREATE TABLE accounts (
    account_id uuid NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    password_hash text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    language text,
    disabled_at timestamptz,
    -- The invite by which it was made, where one was needed: a use of it is counted for the account already.
    invite_id uuid,
    -- In which it is told times (such as Europe/Paris); NULL: it does not say.
    time_zone text,
    -- Whether account_looks has been told of it: before the first account is made, it is told of all.
    looks_noted boolean NOT NULL DEFAULT false,
    PRIMARY KEY (account_id),
    UNIQUE (name_key)
);

CREATE INDEX accounts_to_note_idx ON accounts (account_id) WHERE NOT looks_noted;

-- What names look like, each once: an account that is made needs looks that no other has. Of those that were there
-- before, the first one has them.
CREATE TABLE account_looks (
    looks text NOT NULL,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    PRIMARY KEY (looks)
);

CREATE INDEX account_looks_account_id_idx ON account_looks (account_id);

-- A link by which an account gets another password, once. A new one takes the place of the old one.
CREATE TABLE account_resets (
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    code_hash bytea NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (account_id),
    UNIQUE (code_hash)
);

-- Tokens are kept as hashes only. Those with expires_at are sessions of browsers, which a cookie carries. The last four
-- limit a program's token: what it may do, where, until when, and how often in a minute.
CREATE TABLE tokens (
    token_id uuid NOT NULL,
    account_id uuid NOT NULL REFERENCES accounts,
    label text NOT NULL,
    token_hash bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    last_used_at timestamptz,
    revoked_at timestamptz,
    expires_at timestamptz,
    scope text CHECK (scope IN ('read', 'play')),
    only_campaign uuid,
    ends_at timestamptz,
    requests_per_minute integer,
    PRIMARY KEY (token_id),
    UNIQUE (token_hash)
);

CREATE INDEX tokens_account_id_idx ON tokens (account_id);

-- An invite is looked up in its campaign, whose id its code carries: no unique key spans campaigns. uses counts
-- how many came in by it, of uses_max (null: of any number). Where it is for_account, nobody else may.
CREATE TABLE invites (
    campaign_id uuid NOT NULL,
    invite_id uuid NOT NULL,
    code_hash bytea NOT NULL,
    role text NOT NULL CHECK (role IN ('gm', 'player', 'observer')),
    created_by uuid NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    uses integer NOT NULL DEFAULT 0,
    uses_max integer CHECK (uses_max > 0),
    for_account uuid,
    PRIMARY KEY (campaign_id, invite_id),
    UNIQUE (campaign_id, code_hash)
);

GRANT SELECT, INSERT ON accounts, tokens, invites TO fieldlog_service;
GRANT UPDATE (last_used_at, revoked_at, expires_at) ON tokens TO fieldlog_service;
GRANT UPDATE (revoked_at, uses) ON invites TO fieldlog_service;
GRANT UPDATE (name, name_key, password_hash, language, disabled_at, time_zone, looks_noted) ON accounts TO fieldlog_service;
GRANT SELECT, INSERT, DELETE ON account_looks TO fieldlog_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON account_resets TO fieldlog_service;

-- What accounts asked to have erased: their words in every campaign, or (from due_at on) themselves. It has come to
-- after_campaign, and stays until it is done. name is what others may still read of an account that is gone. left_over
-- are the campaigns that were deleted when all others were gone through: if they are restored, it goes through them.
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
    left_over uuid [] NOT NULL DEFAULT '{}',
    PRIMARY KEY (account_id, what)
);

CREATE INDEX account_erasures_due_at_idx ON account_erasures (due_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON account_erasures TO fieldlog_service;
GRANT DELETE ON accounts, tokens TO fieldlog_service;

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

-- For people with a SQL prompt; the program never reads it. Personal text stays out; what is packed is null.
CREATE VIEW readable_events WITH (security_invoker = true) AS
SELECT
    campaign_id,
    seq,
    action_id,
    kind,
    kind_version,
    timestamptz 'epoch' + recorded_at * interval '1 microsecond' AS recorded_at,
    game_time * interval '1 second' AS game_time,
    actor,
    cause,
    visibility,
    CASE WHEN get_byte(command, 0) = ascii('{') THEN convert_from(command, 'UTF8')::jsonb END AS command,
    CASE WHEN get_byte(body, 0) = ascii('{') THEN convert_from(body, 'UTF8')::jsonb END AS body,
    encode(hash, 'hex') AS hash
FROM events;

GRANT SELECT ON readable_events TO fieldlog_service;

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

-- Folds of a campaign for one audience as of many seqs, so that any moment of the past is near one of them.
CREATE TABLE kept_folds (
    campaign_id uuid NOT NULL,
    audience text NOT NULL,
    seq bigint NOT NULL,
    form text NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (campaign_id, audience, seq)
);

-- Lists that people page through (the chronicle, the statement), in segments of many rows: those of number n are of the
-- events from n times 128 on. A segment is one compressed whole, stored once for all audiences whose rows are the same:
-- readers, of whom audience is one. marks are CRC-32 sums of the keys that any of its rows is found by. keys, parts and
-- ends are what processes of earlier versions store in a form of theirs; a later migration drops them.
CREATE TABLE view_segments (
    campaign_id uuid NOT NULL,
    audience text NOT NULL,
    view text NOT NULL,
    number bigint NOT NULL,
    keys text [] NOT NULL DEFAULT '{}',
    parts bytea [] NOT NULL DEFAULT '{}',
    ends bigint [] NOT NULL DEFAULT '{}',
    readers text [] NOT NULL DEFAULT '{}',
    marks integer [] NOT NULL DEFAULT '{}',
    content bytea NOT NULL DEFAULT '',
    PRIMARY KEY (campaign_id, view, number, audience)
);

ALTER TABLE view_segments ALTER COLUMN parts SET STORAGE EXTERNAL;
ALTER TABLE view_segments ALTER COLUMN content SET STORAGE EXTERNAL;

GRANT SELECT, INSERT, UPDATE, DELETE ON stored_folds TO fieldlog_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON kept_folds TO fieldlog_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON view_segments TO fieldlog_service;

-- What campaigns owe themselves, derived from their events and written together with them: payouts, healing,
-- timers. due is seconds of campaign time or microseconds UTC, as clock says, and 0 for what is owed at once; wake_at
-- is from when on a worker looks after it (microseconds UTC, the largest number: not before the calendar moves).
-- attempts, parked_at and error are the one thing here that no event tells.
CREATE TABLE timers (
    campaign_id uuid NOT NULL,
    cause uuid NOT NULL,
    subject text NOT NULL,
    clock text NOT NULL CHECK (clock IN ('game', 'real', 'now')),
    due bigint NOT NULL,
    wake_at bigint NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    parked_at bigint,
    error text,
    PRIMARY KEY (campaign_id, cause, subject)
);

CREATE INDEX timers_wake_at_idx ON timers (wake_at, campaign_id) WHERE parked_at IS NULL;
CREATE INDEX timers_parked_at_idx ON timers (parked_at) WHERE parked_at IS NOT NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON timers TO fieldlog_service;

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

-- The seeds that server dice come from, encrypted with a key that the database never has. The service adds to
-- them and reads them; what was committed to cannot be exchanged.
CREATE TABLE dice_seeds (
    campaign_id uuid NOT NULL,
    epoch bigint NOT NULL CHECK (epoch > 0),
    sealed bytea NOT NULL,
    PRIMARY KEY (campaign_id, epoch)
);

GRANT SELECT, INSERT ON dice_seeds TO fieldlog_service;

-- Which key seals the seeds of this database: sixteen digits of a hash of it, from which nobody gets the key. The
-- service notes them when it first starts, and compares them at every start. One row at the most; what stands there
-- stays.
CREATE TABLE dice_key (
    is_the_one boolean PRIMARY KEY DEFAULT true CHECK (is_the_one),
    fingerprint text NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{16}$')
);

GRANT SELECT, INSERT ON dice_key TO fieldlog_service;

-- What the GMs of deleted campaigns are shown of them. rested: it was archived only because it was deleted.
CREATE TABLE campaign_deletions (
    campaign_id uuid NOT NULL,
    name text NOT NULL,
    deleted_at bigint NOT NULL,
    deleted_by uuid,
    rested boolean NOT NULL,
    PRIMARY KEY (campaign_id)
);

GRANT SELECT, INSERT, DELETE ON campaign_deletions TO fieldlog_service;

-- When the owner's purge saw that a campaign is deleted, it writes here from when on it may go, a whole grace later
-- (microseconds UTC). The service's login may mark a campaign as deleted, or as deleted long ago, but not write here.
CREATE TABLE seen_deletions (
    campaign_id uuid NOT NULL,
    purge_from bigint NOT NULL,
    PRIMARY KEY (campaign_id)
);

-- With the owner's rights, which the service's login lacks: a campaign that is restored, or deleted again, gets a whole
-- grace again, also when that happens between two purges.
CREATE FUNCTION forget_seen_deletion() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    EXECUTE format('DELETE FROM %I.seen_deletions WHERE campaign_id = $1', tg_table_schema) USING old.campaign_id;
    RETURN NULL;
END
$$;

CREATE TRIGGER seen_deletions_end_with_the_deletion
AFTER UPDATE OF gone_at ON campaign_heads
FOR EACH ROW WHEN (old.gone_at IS DISTINCT FROM new.gone_at)
EXECUTE FUNCTION forget_seen_deletion();

ALTER TABLE campaign_heads ENABLE ALWAYS TRIGGER seen_deletions_end_with_the_deletion;

-- The ids of campaigns that were purged, which no new campaign gets: heads and checkpoints of them may be kept anywhere.
CREATE TABLE purged_campaigns (
    purged_id uuid NOT NULL,
    PRIMARY KEY (purged_id)
);

GRANT SELECT ON purged_campaigns TO fieldlog_service;

-- The backups that were made of this database and verified, so that it is known how old the last one is.
CREATE TABLE backups (
    backup_id uuid NOT NULL,
    begun_at timestamptz NOT NULL,
    done_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    events bigint NOT NULL,
    PRIMARY KEY (backup_id)
);

GRANT SELECT, INSERT ON backups TO fieldlog_service;

-- The backups that were restored into this database. Nothing is served from it before a restore is done: a killed one
-- leaves its row, and is taken up where it ended.
CREATE TABLE restores (
    backup_id uuid NOT NULL,
    begun_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    loaded_at timestamptz,
    done_at timestamptz,
    PRIMARY KEY (backup_id)
);

GRANT SELECT ON restores TO fieldlog_service;

-- What was erased, deleted or revoked, by ids: written in the transaction that does it, copied by every process to a
-- place outside the database, and done again where a restored older database does not know of it. What `kind` is about:
-- text: an event's personal text, erased but for the paths in stays (salt tells it from another one at the same place);
-- account: deleted; token: revoked; invite: revoked; member: removed from a campaign (stays holds 'removed' where
-- another did it); joined: a member came back; disabled and enabled: an account; campaign: purged.
CREATE TABLE withdrawals (
    withdrawal_id uuid NOT NULL DEFAULT gen_random_uuid(),
    noted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    kind text NOT NULL CHECK (
        kind IN ('text', 'account', 'token', 'invite', 'feed', 'member', 'joined', 'disabled', 'enabled', 'campaign')
    ),
    campaign uuid,
    subject uuid,
    seq bigint,
    salt bytea,
    stays text [] NOT NULL DEFAULT '{}',
    PRIMARY KEY (withdrawal_id)
);

CREATE INDEX withdrawals_noted_at_idx ON withdrawals (noted_at, withdrawal_id);

-- For telling who comes back from who comes for the first time.
CREATE INDEX withdrawals_member_idx ON withdrawals (campaign, subject) WHERE kind = 'member';

GRANT SELECT, INSERT ON withdrawals TO fieldlog_service;

-- A text that cannot be taken apart counts as erased whole.
CREATE FUNCTION note_erased_text() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    left_over text [] := '{}';
BEGIN
    IF tg_op = 'UPDATE' THEN
        BEGIN
            left_over := ARRAY(SELECT json_object_keys(convert_from(new.texts, 'UTF8')::json));
        EXCEPTION WHEN OTHERS THEN
            left_over := '{}';
        END;
    END IF;
    INSERT INTO withdrawals (kind, campaign, seq, salt, stays)
    VALUES ('text', old.campaign_id, old.seq, old.salt, left_over);
    RETURN NULL;
END
$$;

CREATE TRIGGER erased_texts_are_noted
AFTER UPDATE OF texts OR DELETE ON personal_text
FOR EACH ROW WHEN (current_setting('fieldlog.purging', true) IS DISTINCT FROM 'on')
EXECUTE FUNCTION note_erased_text();

CREATE FUNCTION note_deleted_account() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO withdrawals (kind, subject, stays)
    SELECT
        'account',
        old.account_id,
        CASE
            WHEN EXISTS (
                SELECT FROM account_erasures AS e
                WHERE e.account_id = old.account_id AND e.what = 'account' AND e.with_texts
            ) THEN '{}'::text []
            ELSE '{texts}'::text []
        END;
    RETURN NULL;
END
$$;

CREATE TRIGGER deleted_accounts_are_noted
AFTER DELETE ON accounts
FOR EACH ROW EXECUTE FUNCTION note_deleted_account();

CREATE FUNCTION note_disabled_account() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO withdrawals (kind, subject)
    VALUES (CASE WHEN new.disabled_at IS NULL THEN 'enabled' ELSE 'disabled' END, new.account_id);
    RETURN NULL;
END
$$;

CREATE TRIGGER disabled_accounts_are_noted
AFTER UPDATE OF disabled_at ON accounts
FOR EACH ROW WHEN ((old.disabled_at IS NULL) <> (new.disabled_at IS NULL))
EXECUTE FUNCTION note_disabled_account();

-- Tokens that were over anyway are not worth a note.
CREATE FUNCTION note_revoked_token() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF old.expires_at IS NULL OR old.expires_at > now() THEN
        INSERT INTO withdrawals (kind, subject) VALUES ('token', old.token_id);
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER deleted_tokens_are_noted
AFTER DELETE ON tokens
FOR EACH ROW WHEN (old.revoked_at IS NULL)
EXECUTE FUNCTION note_revoked_token();

CREATE TRIGGER revoked_tokens_are_noted
AFTER UPDATE OF revoked_at ON tokens
FOR EACH ROW WHEN (old.revoked_at IS NULL AND new.revoked_at IS NOT NULL)
EXECUTE FUNCTION note_revoked_token();

CREATE FUNCTION note_revoked_invite() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO withdrawals (kind, campaign, subject) VALUES ('invite', new.campaign_id, new.invite_id);
    RETURN NULL;
END
$$;

CREATE TRIGGER revoked_invites_are_noted
AFTER UPDATE OF revoked_at ON invites
FOR EACH ROW WHEN (old.revoked_at IS NULL AND new.revoked_at IS NOT NULL)
EXECUTE FUNCTION note_revoked_invite();

CREATE FUNCTION note_revoked_feed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO withdrawals (kind, campaign, subject) VALUES ('feed', old.campaign_id, old.account_id);
    RETURN NULL;
END
$$;

CREATE TRIGGER revoked_feeds_are_noted
AFTER UPDATE OF feed_hash ON campaign_members
FOR EACH ROW WHEN (old.feed_hash IS DISTINCT FROM new.feed_hash AND old.feed_hash IS NOT NULL)
EXECUTE FUNCTION note_revoked_feed();

-- The event that says whether the member left or was removed is the newest of its kind about them: it was written by
-- the same statement.
CREATE FUNCTION note_lost_member() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    was_removed boolean;
BEGIN
    SELECT left_.body ->> 'removed' = 'true' INTO was_removed
    FROM (
        SELECT
            e.seq,
            CASE WHEN e.kind = 'campaign.member_left' THEN convert_from(e.body, 'UTF8')::jsonb END AS body
        FROM events AS e
        WHERE e.campaign_id = old.campaign_id AND e.kind = 'campaign.member_left'
    ) AS left_
    WHERE left_.body ->> 'account' = old.account_id::text
    ORDER BY left_.seq DESC
    LIMIT 1;
    INSERT INTO withdrawals (kind, campaign, subject, stays)
    VALUES (
        'member', old.campaign_id, old.account_id,
        CASE WHEN was_removed THEN '{removed}'::text [] ELSE '{}'::text [] END
    );
    RETURN NULL;
END
$$;

CREATE TRIGGER lost_members_are_noted
AFTER DELETE ON campaign_members
FOR EACH ROW WHEN (current_setting('fieldlog.purging', true) IS DISTINCT FROM 'on')
EXECUTE FUNCTION note_lost_member();

CREATE FUNCTION note_returned_member() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM withdrawals AS w
        WHERE w.kind = 'member' AND w.campaign = new.campaign_id AND w.subject = new.account_id
    ) THEN
        INSERT INTO withdrawals (kind, campaign, subject) VALUES ('joined', new.campaign_id, new.account_id);
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER returned_members_are_noted
AFTER INSERT ON campaign_members
FOR EACH ROW EXECUTE FUNCTION note_returned_member();

CREATE FUNCTION note_purged_campaign() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO withdrawals (kind, campaign) VALUES ('campaign', new.purged_id);
    RETURN NULL;
END
$$;

CREATE TRIGGER purged_campaigns_are_noted
AFTER INSERT ON purged_campaigns
FOR EACH ROW EXECUTE FUNCTION note_purged_campaign();

-- The second wall: whatever a statement asks for, it sees and writes what people did in those campaigns only that it
-- named in fieldlog.campaigns (for its own transaction), and nothing where it named none. The owner is held to it too.
-- The setting is read once for each statement, not for each row; what an append of hundreds of campaigns writes is
-- looked for in a set, what is read of one campaign in a list. Heads and members stay outside: looking for work goes
-- through all campaigns, and finds no content.
ALTER TABLE events ENABLE ROW LEVEL SECURITY;
ALTER TABLE events FORCE ROW LEVEL SECURITY;
CREATE POLICY named_campaigns ON events
USING (campaign_id IN (SELECT unnest(nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])));

ALTER TABLE personal_text ENABLE ROW LEVEL SECURITY;
ALTER TABLE personal_text FORCE ROW LEVEL SECURITY;
CREATE POLICY named_campaigns ON personal_text
USING (campaign_id IN (SELECT unnest(nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])));

ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotency_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY named_campaigns ON idempotency_keys
USING (campaign_id IN (SELECT unnest(nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])));

ALTER TABLE stored_folds ENABLE ROW LEVEL SECURITY;
ALTER TABLE stored_folds FORCE ROW LEVEL SECURITY;
CREATE POLICY named_campaigns ON stored_folds
USING (campaign_id = ANY((SELECT nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])::uuid []));

ALTER TABLE kept_folds ENABLE ROW LEVEL SECURITY;
ALTER TABLE kept_folds FORCE ROW LEVEL SECURITY;
CREATE POLICY named_campaigns ON kept_folds
USING (campaign_id = ANY((SELECT nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])::uuid []));

ALTER TABLE view_segments ENABLE ROW LEVEL SECURITY;
ALTER TABLE view_segments FORCE ROW LEVEL SECURITY;
CREATE POLICY named_campaigns ON view_segments
USING (campaign_id = ANY((SELECT nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])::uuid []));

-- What was still outside the second wall. Workers look for what is due in all campaigns: for that there are views of
-- the owner's, which is why the owner is not held to the wall of these two tables. They show which campaign and when,
-- and nothing of what was found or why it failed; of a timer, only when to look after it can be changed there.
ALTER TABLE timers ENABLE ROW LEVEL SECURITY;
CREATE POLICY named_campaigns ON timers
USING (campaign_id IN (SELECT unnest(nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])));

CREATE VIEW due_timers AS
SELECT campaign_id, cause, subject, wake_at, parked_at FROM timers;

GRANT SELECT, UPDATE (wake_at) ON due_timers TO fieldlog_service;

ALTER TABLE ledger_checks ENABLE ROW LEVEL SECURITY;
CREATE POLICY named_campaigns ON ledger_checks
USING (campaign_id = ANY((SELECT nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])::uuid []));

CREATE VIEW checked_ledgers AS
SELECT campaign_id, seq, drifting FROM ledger_checks;

GRANT SELECT ON checked_ledgers TO fieldlog_service;

ALTER TABLE dice_seeds ENABLE ROW LEVEL SECURITY;
ALTER TABLE dice_seeds FORCE ROW LEVEL SECURITY;
CREATE POLICY named_campaigns ON dice_seeds
USING (campaign_id IN (SELECT unnest(nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])));

ALTER TABLE campaign_deletions ENABLE ROW LEVEL SECURITY;
ALTER TABLE campaign_deletions FORCE ROW LEVEL SECURITY;
CREATE POLICY named_campaigns ON campaign_deletions
USING (campaign_id = ANY((SELECT nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])::uuid []));

-- A fifth of a table, PostgreSQL's own measure, is much by the time that there are years of play. What is written again
-- and again is vacuumed after a twentieth, and so is what lies beside it: stored views are rewritten a segment at a time.
ALTER TABLE idempotency_keys SET (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE view_segments SET (
    autovacuum_vacuum_scale_factor = 0.05,
    toast.autovacuum_vacuum_scale_factor = 0.05
);
ALTER TABLE stored_folds SET (
    autovacuum_vacuum_scale_factor = 0.05,
    toast.autovacuum_vacuum_scale_factor = 0.05
);
ALTER TABLE timers SET (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE campaign_heads SET (autovacuum_vacuum_scale_factor = 0.05);

-- Events are only added. Looking through them early and often keeps the day away on which all of them must be frozen.
ALTER TABLE events SET (autovacuum_vacuum_insert_scale_factor = 0.05);

-- Addresses that are told what happens in a campaign (sealed: the address and the secret that signs, encrypted). Nothing
-- that is sent is stored: delivered is the last seq of which the receiver has confirmed the news, upto the last one of the
-- message that is being sent, and waiting a hash of what the table waited for when it was last told. A worker that sends
-- moves due_at on and holds the webhook until then; after a day of failures it is parked. Moments are microseconds UTC.
CREATE TABLE webhooks (
    campaign_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    form text NOT NULL CHECK (form IN ('json', 'discord')),
    kinds text [] NOT NULL,
    host text NOT NULL,
    sealed bytea NOT NULL,
    created_by uuid NOT NULL,
    created_at bigint NOT NULL,
    delivered bigint NOT NULL,
    upto bigint NOT NULL,
    waiting bytea NOT NULL,
    attempts integer NOT NULL,
    due_at bigint NOT NULL,
    failing_since bigint,
    parked_at bigint,
    fault text,
    bodies_confirmed integer NOT NULL DEFAULT 0,
    PRIMARY KEY (campaign_id, webhook_id)
);

CREATE INDEX webhooks_due_at_idx ON webhooks (due_at) WHERE parked_at IS NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON webhooks TO fieldlog_service;

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
