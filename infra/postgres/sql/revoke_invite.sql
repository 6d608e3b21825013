UPDATE invites SET revoked_at = coalesce(revoked_at, now())
WHERE campaign_id = :campaign AND invite_id = :invite
RETURNING invite_id
