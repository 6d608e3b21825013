-- Events of a campaign from :first on that have personal texts beside them, with these, at most :most. Of one account's
-- where :actor is given; events without an actor are included, since the account's words may have caused them.
SELECT
    e.seq, e.action_id, e.kind, e.kind_version, e.recorded_at, e.game_time, e.actor, e.cause, e.visibility,
    e.command, e.body, e.salt, e.hash, t.salt AS text_salt, t.texts
FROM personal_text AS t
INNER JOIN events AS e ON t.campaign_id = e.campaign_id AND t.seq = e.seq
WHERE
    t.campaign_id = :campaign AND t.seq >= :first
    AND (:actor::uuid IS NULL OR e.actor IS NULL OR e.actor = :actor)
ORDER BY t.seq
LIMIT :most
