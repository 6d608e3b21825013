-- The same as read_view_segments from the other end: segments from number :last down to :first.
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
        ORDER BY number DESC
        LIMIT :most
    ) AS page
    ON true
ORDER BY page.number DESC
