-- Those of some withdrawals that this database does not know of: it was restored from before them.
SELECT asked.id FROM unnest(:ids) AS asked (id)
WHERE NOT EXISTS (SELECT FROM withdrawals AS w WHERE w.withdrawal_id = asked.id)
