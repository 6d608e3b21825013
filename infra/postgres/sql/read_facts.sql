-- What folding needs of a campaign's events from :first to :last, in order. Their personal texts are read apart.
SELECT e.seq, e.kind, e.kind_version, e.body
FROM events AS e
WHERE e.campaign_id = :campaign AND e.seq >= :first AND e.seq <= :last
ORDER BY e.seq
