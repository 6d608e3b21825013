-- Counts one less who comes in by an invite: they did not.
UPDATE invites SET uses = uses - 1
WHERE campaign_id = :campaign AND invite_id = :invite AND uses > 0
