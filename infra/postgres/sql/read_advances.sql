-- The events of a campaign that moved its clock, up to :last, in order, with their personal texts.
SELECT
    e.seq, e.action_id, e.kind, e.kind_version, e.recorded_at, e.game_time, e.actor, e.cause, e.visibility,
    e.command, e.body, e.salt, e.hash, t.salt AS text_salt, t.texts
FROM (
    SELECT * FROM events AS e
    WHERE
        e.campaign_id = :campaign AND e.seq <= :last
        AND e.kind = 'campaign.calendar_advanced'
    OFFSET 0
) AS e
LEFT JOIN LATERAL (
    SELECT p.salt, p.texts FROM personal_text AS p
    WHERE p.campaign_id = (:campaign) AND p.seq = e.seq
    OFFSET 0
) AS t ON true
ORDER BY e.seq
