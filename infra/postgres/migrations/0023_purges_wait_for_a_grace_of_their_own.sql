SET LOCAL lock_timeout = '3s';

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

CREATE OR REPLACE FUNCTION refuse_to_purge_what_is_not_gone() RETURNS trigger
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
