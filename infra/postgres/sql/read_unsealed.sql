-- Events of a campaign from :first to :last, in order, without what seals them. Their personal texts are read apart.
SELECT
    e.seq, e.action_id, e.kind, e.kind_version, e.recorded_at, e.game_time, e.actor, e.cause, e.visibility,
    e.command, e.body
FROM events AS e
WHERE e.campaign_id = :campaign AND e.seq >= :first AND e.seq <= :last
ORDER BY e.seq
