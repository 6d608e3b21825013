-- Every visibility but 'all' that a campaign's events have; mostly none. A partial index answers.
SELECT DISTINCT visibility FROM events
WHERE campaign_id = :campaign AND visibility <> 'all'
ORDER BY visibility
