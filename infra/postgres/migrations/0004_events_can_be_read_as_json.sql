SET LOCAL lock_timeout = '3s';

-- For people with a SQL prompt; the program never reads it. Personal text stays out.
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
    convert_from(command, 'UTF8')::jsonb AS command,
    convert_from(body, 'UTF8')::jsonb AS body,
    encode(hash, 'hex') AS hash
FROM events;

GRANT SELECT ON readable_events TO fieldlog_service;
