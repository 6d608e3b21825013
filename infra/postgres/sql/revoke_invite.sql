-- Makes an invite worthless from now on; one that was revoked before stays revoked since then.
UPDATE invites SET revoked_at = least(revoked_at, now())
WHERE campaign_id = :campaign AND invite_id = :invite
RETURNING invite_id
