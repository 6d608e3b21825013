-- The personal texts of a campaign's events from :first to :last, as far as they are not erased.
SELECT t.seq, t.texts
FROM personal_text AS t
WHERE t.campaign_id = :campaign AND t.seq >= :first AND t.seq <= :last
