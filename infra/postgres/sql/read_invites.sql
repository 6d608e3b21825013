SELECT campaign_id, invite_id, role, created_by, created_at, expires_at, revoked_at, uses, uses_max, for_account
FROM invites
WHERE campaign_id = :campaign
ORDER BY created_at DESC, invite_id
