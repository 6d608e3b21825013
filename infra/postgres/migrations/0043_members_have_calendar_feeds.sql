SET LOCAL lock_timeout = '3s';

-- The address of a member's calendar feed holds a secret, of which this is SHA-256; NULL: there is no feed. It stands
-- beside the membership, so that it goes with it: when the member leaves, and when the account or the campaign goes.
ALTER TABLE campaign_members ADD COLUMN feed_hash bytea, ADD COLUMN feed_made_at timestamptz;

GRANT UPDATE (feed_hash, feed_made_at) ON campaign_members TO fieldlog_service;

-- An address that is revoked, or replaced by another, stays revoked where an older database comes back.
ALTER TABLE withdrawals
DROP CONSTRAINT withdrawals_kind_check,
ADD CONSTRAINT withdrawals_kind_check CHECK (
    kind IN ('text', 'account', 'token', 'invite', 'feed', 'member', 'joined', 'disabled', 'enabled', 'campaign')
);

-- Where campaigns are shared out to shards, Citus wants to be told that the trigger stays on its shard.
SET LOCAL citus.enable_unsafe_triggers = on;

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
