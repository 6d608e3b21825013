-- How many campaigns are behind, and when the head of the oldest of them was recorded.
SELECT count(*), min(recorded_at) FROM campaign_heads WHERE behind AND gone_at IS NULL
