-- Campaigns in a :share whose stored views have gone on since their ledger was checked, from :first on, if nothing has
-- been added for :quiet microseconds.
SELECT h.campaign_id
FROM campaign_heads AS h
LEFT JOIN checked_ledgers AS c ON c.campaign_id = h.campaign_id
WHERE
    h.campaign_id >= :first AND h.gone_at IS NULL AND h.caught_up > coalesce(c.seq, 0)
    AND get_bit(:share, get_byte(uuid_send(h.campaign_id), 15)) = 1
    AND (
        :quiet = 0 OR h.recorded_at <= (extract(EPOCH FROM clock_timestamp()) * 1000000)::bigint - :quiet
    )
ORDER BY h.campaign_id
LIMIT :most
