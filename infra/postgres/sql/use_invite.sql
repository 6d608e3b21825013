-- Counts one more who comes in by an invite, unless as many have as may.
UPDATE invites SET uses = uses + 1
WHERE
    campaign_id = :campaign AND invite_id = :invite AND revoked_at IS NULL
    AND (uses_max IS NULL OR uses < uses_max)
RETURNING invite_id
