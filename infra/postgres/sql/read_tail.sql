-- Events of a campaign in order, from :first to :last, at most :most, with their personal texts.
-- The texts are looked up one by one: for a few events nothing is faster, for many nothing can go wrong.
SELECT
    e.seq, e.action_id, e.kind, e.kind_version, e.recorded_at, e.game_time, e.actor, e.cause, e.visibility,
    e.command, e.body, e.salt, e.hash, t.salt AS text_salt, t.texts
FROM (
    SELECT * FROM events AS e
    WHERE e.campaign_id = :campaign AND e.seq >= :first AND e.seq <= :last
    ORDER BY e.seq
    LIMIT :most
) AS e
LEFT JOIN LATERAL (
    SELECT p.salt, p.texts FROM personal_text AS p
    WHERE p.campaign_id = (:campaign) AND p.seq = e.seq
    OFFSET 0
) AS t ON true
ORDER BY e.seq
