-- Campaigns whose stored views are behind, from :first on in the order of their ids: by :events at least, or by fewer
-- where nothing has been added for :quiet microseconds, or for :new where nothing is stored yet. Those in a :share only.
SELECT campaign_id FROM campaign_heads
WHERE
    behind AND gone_at IS NULL AND campaign_id >= :first
    AND get_bit(:share, get_byte(uuid_send(campaign_id), 15)) = 1
    AND (
        seq - caught_up >= :events
        OR recorded_at <= (extract(EPOCH FROM clock_timestamp()) * 1000000)::bigint
        - CASE caught_up WHEN 0 THEN :new::bigint ELSE :quiet::bigint END
    )
ORDER BY campaign_id
LIMIT :most
