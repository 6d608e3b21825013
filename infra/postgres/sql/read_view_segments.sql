-- How far the lists of an audience are stored in a form (0: they are not), and segments of one of them, from number
-- :first up to :last, that hold all of :marks. One statement, so that both are of one moment: stored views may be
-- invalidated and rebuilt at any time.
SELECT followed.seq, page.number, page.content
FROM
    (
        SELECT coalesce(max(seq), 0) AS seq
        FROM stored_folds
        WHERE campaign_id = :campaign AND audience = :audience AND form = :form
    ) AS followed
LEFT JOIN
    LATERAL (
        SELECT number, content
        FROM view_segments
        WHERE
            campaign_id = :campaign AND view = :view AND :audience = ANY(readers)
            AND number >= :first AND number <= :last
            AND followed.seq > 0
            AND marks @> :marks
        ORDER BY number
        LIMIT :most
    ) AS page
    ON true
ORDER BY page.number
