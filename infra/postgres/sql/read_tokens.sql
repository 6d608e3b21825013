SELECT
    token_id, label, created_at, last_used_at, scope, only_campaign, ends_at, requests_per_minute
FROM tokens
WHERE
    account_id = :account AND revoked_at IS NULL AND expires_at IS NULL
    AND coalesce(ends_at, coalesce(last_used_at, created_at) + :unused::bigint * interval '1 second') > now()
ORDER BY created_at, token_id
