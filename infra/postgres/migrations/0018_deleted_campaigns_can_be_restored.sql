SET LOCAL lock_timeout = '3s';

-- From when on a deleted campaign may be purged (microseconds UTC); null: it is not deleted. It stands in the head
-- because every append locks that row, and nothing else need be read to refuse.
ALTER TABLE campaign_heads ADD COLUMN gone_at bigint;
CREATE INDEX campaign_heads_gone_at_idx ON campaign_heads (gone_at) WHERE gone_at IS NOT NULL;
GRANT UPDATE (gone_at) ON campaign_heads TO fieldlog_service;

-- What the GMs of deleted campaigns are shown of them. rested: it was archived only because it was deleted.
CREATE TABLE campaign_deletions (
    campaign_id uuid NOT NULL,
    name text NOT NULL,
    deleted_at bigint NOT NULL,
    deleted_by uuid NOT NULL,
    rested boolean NOT NULL,
    PRIMARY KEY (campaign_id)
);

GRANT SELECT, INSERT, DELETE ON campaign_deletions TO fieldlog_service;

ALTER TABLE campaign_deletions ENABLE ROW LEVEL SECURITY;
ALTER TABLE campaign_deletions FORCE ROW LEVEL SECURITY;
CREATE POLICY named_campaigns ON campaign_deletions
USING (campaign_id = ANY((SELECT nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])::uuid []));

-- Events go with their whole campaign only: an owner who says so (fieldlog.purging) deletes those of campaigns whose
-- time is over, and no others.
CREATE OR REPLACE FUNCTION refuse_change_of_events() RETURNS trigger
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

CREATE FUNCTION refuse_to_purge_what_is_not_gone() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM campaign_heads
    WHERE campaign_id = old.campaign_id AND gone_at <= extract(EPOCH FROM clock_timestamp()) * 1000000;
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
