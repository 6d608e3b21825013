-- The kept answers that may tell of any of :seqs: what happened by itself is told by the request before it.
SELECT k.account_id, k.key, k.request_hash, k.action_id, k.answer
FROM idempotency_keys AS k
WHERE
    k.campaign_id = :campaign
    AND k.action_id IN (
        SELECT asked.action_id
        FROM unnest(:seqs) AS told (seq)
        INNER JOIN LATERAL (
            SELECT e.action_id FROM events AS e
            WHERE e.campaign_id = :campaign AND e.seq <= told.seq AND e.cause = 'request'
            ORDER BY e.seq DESC
            LIMIT 1
        ) AS asked ON true
    )
ORDER BY k.account_id, k.key
