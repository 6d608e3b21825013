-- Some campaigns that are not behind, but whose views are stored in another form than :form. Two ranges of an index, as
-- for counting them: in the order of their ids, each page would go through all there are.
SELECT found.campaign_id
FROM
    (
        (SELECT campaign_id FROM campaign_heads WHERE form < :form AND NOT behind AND gone_at IS NULL LIMIT :most)
        UNION ALL
        (SELECT campaign_id FROM campaign_heads WHERE form > :form AND NOT behind AND gone_at IS NULL LIMIT :most)
    ) AS found
LIMIT :most
