-- What hosts did, the last first; further back from the one named.
SELECT h.host_action_id, h.done_at, h.done_by, h.command, h.account, h.campaign, h.refused
FROM host_actions AS h
WHERE
    (:before)::uuid IS NULL
    OR (h.done_at, h.host_action_id) < (
        SELECT b.done_at, b.host_action_id FROM host_actions AS b WHERE b.host_action_id = (:before)::uuid
    )
ORDER BY h.done_at DESC, h.host_action_id DESC
LIMIT :most
