-- The newest fold of a campaign for one audience, in one form, up to :last and in none of the ranges
-- :unusable_from … :unusable_to.
SELECT f.audience, f.seq, f.form, f.content
FROM (
    SELECT s.audience, s.seq, s.form, s.content FROM stored_folds AS s
    WHERE s.campaign_id = :campaign AND s.audience = :audience
    UNION ALL
    SELECT k.audience, k.seq, k.form, k.content FROM kept_folds AS k
    WHERE k.campaign_id = :campaign AND k.audience = :audience
) AS f
WHERE
    f.form = :form AND f.seq <= :last
    AND NOT EXISTS (
        SELECT 1 FROM unnest(:unusable_from, :unusable_to) AS u (from_seq, to_seq)
        WHERE f.seq BETWEEN u.from_seq AND u.to_seq
    )
ORDER BY f.seq DESC
LIMIT 1
