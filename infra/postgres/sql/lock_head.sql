-- Holds a campaign until the transaction ends: nobody appends to it or follows it meanwhile.
SELECT seq FROM campaign_heads WHERE campaign_id = :campaign FOR UPDATE
