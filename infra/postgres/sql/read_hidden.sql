-- Whose eyes only some of a campaign's events are for; mostly nobody's. A partial index answers.
SELECT DISTINCT visibility FROM events
WHERE campaign_id = :campaign AND visibility <> 'all'
ORDER BY visibility
