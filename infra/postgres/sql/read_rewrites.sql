-- What changes how earlier events of a campaign count or are read, up to :last, in order, with their personal texts.
SELECT
    e.seq, e.action_id, e.kind, e.kind_version, e.recorded_at, e.game_time, e.actor, e.cause, e.visibility,
    e.command, e.body, e.salt, e.hash, t.salt AS text_salt, t.texts
FROM (
    SELECT * FROM events AS e
    WHERE
        e.campaign_id = :campaign AND e.seq <= :last
        AND e.kind IN (
            'campaign.action_undone', 'campaign.action_redone', 'campaign.action_revealed', 'campaign.person_identified'
        )
    OFFSET 0
) AS e
LEFT JOIN LATERAL (
    SELECT p.salt, p.texts FROM personal_text AS p
    WHERE p.campaign_id = (:campaign) AND p.seq = e.seq
    OFFSET 0
) AS t ON true
ORDER BY e.seq
