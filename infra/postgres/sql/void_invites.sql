-- Makes worthless what an account made, or what was made for it, in a campaign where it is no GM any more.
UPDATE invites SET revoked_at = now()
WHERE campaign_id = :campaign AND (created_by = :account OR for_account = :account) AND revoked_at IS NULL
