-- Kept answers of a campaign that hold some bytes, from behind one of them on, in the order of their keys.
SELECT k.account_id, k.key, k.request_hash, k.action_id, k.answer
FROM idempotency_keys AS k
WHERE
    k.campaign_id = :campaign
    AND (k.account_id, k.key) > (:account, :key)
    AND position(:said IN k.answer) > 0
ORDER BY k.account_id, k.key
LIMIT :most
