-- Gives a member's feed another address, which makes an earlier one worthless; NULL: none.
UPDATE campaign_members SET
    feed_hash = :feed_hash,
    feed_made_at = CASE WHEN :feed_hash::bytea IS NULL THEN NULL ELSE now() END
WHERE campaign_id = :campaign AND account_id = :account
RETURNING account_id
