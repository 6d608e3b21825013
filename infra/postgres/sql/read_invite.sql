SELECT campaign_id, invite_id, role, created_by, created_at, expires_at, revoked_at, uses, uses_max, for_account
FROM invites
WHERE
    campaign_id = :campaign AND code_hash = :code_hash
    AND NOT EXISTS (SELECT FROM campaign_heads AS h WHERE h.campaign_id = :campaign AND h.gone_at IS NOT NULL)
