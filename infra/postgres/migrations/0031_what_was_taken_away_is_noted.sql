SET LOCAL lock_timeout = '3s';

-- What was erased, deleted or revoked, by ids: written in the transaction that does it, copied by every process to a
-- place outside the database, and done again where a restored older database does not know of it. What `kind` is about:
-- text: an event's personal text, erased but for the paths in stays (salt tells it from another one at the same place);
-- account: deleted; token: revoked; invite: revoked; member: removed from a campaign (stays holds 'removed' where
-- another did it); joined: a member came back; disabled and enabled: an account; campaign: purged.
CREATE TABLE withdrawals (
    withdrawal_id uuid NOT NULL DEFAULT gen_random_uuid(),
    noted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    kind text NOT NULL CHECK (
        kind IN ('text', 'account', 'token', 'invite', 'member', 'joined', 'disabled', 'enabled', 'campaign')
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

-- The event that says whether the member left or was removed is the newest of its kind about them: it was written by
-- the same statement.
CREATE FUNCTION note_lost_member() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    was_removed boolean;
BEGIN
    SELECT convert_from(e.body, 'UTF8')::jsonb ->> 'removed' = 'true' INTO was_removed
    FROM events AS e
    WHERE
        e.campaign_id = old.campaign_id AND e.kind = 'campaign.member_left'
        AND convert_from(e.body, 'UTF8')::jsonb ->> 'account' = old.account_id::text
    ORDER BY e.seq DESC
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
