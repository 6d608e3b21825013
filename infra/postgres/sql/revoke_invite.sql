UPDATE invites SET revoked_at = now()
WHERE campaign_id = :campaign AND invite_id = :invite AND revoked_at IS NULL
RETURNING invite_id
