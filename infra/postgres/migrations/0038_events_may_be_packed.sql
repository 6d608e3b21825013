SET LOCAL lock_timeout = '3s';

-- A packed value begins with the number of its dictionary, JSON with a brace. Only the program unpacks: here it is null.
CREATE OR REPLACE VIEW readable_events WITH (security_invoker = true) AS
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

-- Conditions are looked at in any order, and the bodies of other kinds may be packed.
CREATE OR REPLACE FUNCTION note_lost_member() RETURNS trigger
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
