-- What idempotency keys stand for; nothing for an account that is no member (any more).
SELECT k.account_id, k.key, k.request_hash, k.action_id, k.answer
FROM unnest(:accounts, :keys) AS asked (account_id, key)
INNER JOIN idempotency_keys AS k ON k.account_id = asked.account_id AND k.key = asked.key
WHERE
    k.campaign_id = :campaign
    AND EXISTS (
        SELECT FROM campaign_members AS m
        WHERE m.campaign_id = k.campaign_id AND m.account_id = k.account_id
    )
