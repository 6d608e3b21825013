-- Events of several campaigns in order, each after its seq in :afters, at most :most of each, with their
-- personal texts and the place of their campaign (from 1). A deleted campaign has none.
WITH scope AS MATERIALIZED (
    SELECT set_config('fieldlog.campaigns', coalesce(array_agg(head.campaign_id)::text, '{}'), true) AS named
    FROM campaign_heads AS head
    WHERE head.campaign_id = ANY(:campaigns) AND head.gone_at IS NULL
)

SELECT
    wanted.place, e.seq, e.action_id, e.kind, e.kind_version, e.recorded_at, e.game_time, e.actor, e.cause, e.visibility,
    e.command, e.body, e.salt, e.hash, t.salt AS text_salt, t.texts
FROM unnest(:campaigns, :afters) WITH ORDINALITY AS wanted (campaign_id, after, place)
CROSS JOIN LATERAL (
    SELECT * FROM events AS e
    WHERE e.campaign_id = wanted.campaign_id AND e.seq > wanted.after AND (SELECT scope.named FROM scope) IS NOT NULL
    ORDER BY e.seq
    LIMIT :most
) AS e
LEFT JOIN LATERAL (
    SELECT p.salt, p.texts FROM personal_text AS p
    WHERE p.campaign_id = wanted.campaign_id AND p.seq = e.seq
    OFFSET 0
) AS t ON true
ORDER BY wanted.place, e.seq
