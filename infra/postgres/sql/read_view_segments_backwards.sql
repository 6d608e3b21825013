-- The same as read_view_segments from the other end: segments from number :last down to :first.
SELECT followed.seq, page.number, page.parts
FROM
    (
        SELECT coalesce(max(seq), 0) AS seq
        FROM stored_folds
        WHERE campaign_id = :campaign AND audience = :audience AND form = :form
    ) AS followed
LEFT JOIN
    LATERAL (
        SELECT number, parts
        FROM view_segments
        WHERE
            campaign_id = :campaign AND audience = :audience AND view = :view
            AND number >= :first AND number <= :last
            AND followed.seq > 0
            AND keys @> :keys
        ORDER BY number DESC
        LIMIT :most
    ) AS page
    ON true
ORDER BY page.number DESC
