-- Campaigns whose stored views have gone on since their ledger was checked, from :first on.
SELECT h.campaign_id
FROM campaign_heads AS h
LEFT JOIN checked_ledgers AS c ON c.campaign_id = h.campaign_id
WHERE h.campaign_id >= :first AND h.gone_at IS NULL AND h.caught_up > coalesce(c.seq, 0)
ORDER BY h.campaign_id
LIMIT :most
