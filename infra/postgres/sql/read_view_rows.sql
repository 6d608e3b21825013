-- How far the lists of an audience are stored in a form (0: they are not), and a page of one of them: the rows
-- after :after up to :upto that carry all of :keys. One statement, so that both are of one moment: stored views
-- may be taken back and folded anew at any time.
SELECT followed.seq, page.view, page.seq, page.nth, page.keys, page.content
FROM
    (
        SELECT coalesce(max(seq), 0) AS seq
        FROM stored_folds
        WHERE campaign_id = :campaign AND audience = :audience AND form = :form
    ) AS followed
LEFT JOIN
    LATERAL (
        SELECT view, seq, nth, keys, content
        FROM view_rows
        WHERE
            campaign_id = :campaign AND audience = :audience AND view = :view
            AND seq > :after AND seq <= least(:upto, followed.seq)
            AND keys @> :keys
        ORDER BY seq, nth
        LIMIT :most
    ) AS page
    ON true
ORDER BY page.seq, page.nth
