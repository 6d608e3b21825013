-- How many campaigns are behind, when the head of the oldest of them was recorded, and how many are not behind but stored
-- in another form than :form. Two ranges of an index that is empty there but after an upgrade; <> would be none.
SELECT b.campaigns, b.oldest, l.campaigns + g.campaigns
FROM
    (
        SELECT count(*) AS campaigns, min(recorded_at) AS oldest FROM campaign_heads
        WHERE behind AND gone_at IS NULL
    ) AS b,
    (SELECT count(*) AS campaigns FROM campaign_heads WHERE form < :form AND NOT behind AND gone_at IS NULL) AS l,
    (SELECT count(*) AS campaigns FROM campaign_heads WHERE form > :form AND NOT behind AND gone_at IS NULL) AS g
