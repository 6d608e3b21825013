INSERT INTO invites (campaign_id, invite_id, code_hash, role, created_by, created_at, expires_at, uses_max, for_account)
VALUES (:campaign, :invite, :code_hash, :role, :created_by, :created_at, :expires_at, :uses_max, :for_account)
ON CONFLICT (campaign_id, code_hash) DO NOTHING
