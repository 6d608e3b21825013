-- Lets go of the answers to actions of a campaign that were recorded before :before, among the first :most keys with an
-- answer behind (:account, :key); the last of these keys. Keys, requests and actions stay.
WITH page AS MATERIALIZED (
    SELECT k.account_id, k.key, k.action_id FROM idempotency_keys AS k
    WHERE k.campaign_id = :campaign AND (k.account_id, k.key) > (:account, :key) AND k.answer <> ''
    ORDER BY k.account_id, k.key
    LIMIT :most
),

trimmed AS (
    UPDATE idempotency_keys AS k SET answer = ''
    FROM page AS p
    WHERE
        k.campaign_id = :campaign AND k.account_id = p.account_id AND k.key = p.key
        AND (
            SELECT max(e.recorded_at) FROM events AS e
            WHERE e.campaign_id = :campaign AND e.action_id = p.action_id
        ) < :before
)

SELECT p.account_id, p.key FROM page AS p ORDER BY p.account_id DESC, p.key DESC LIMIT 1
