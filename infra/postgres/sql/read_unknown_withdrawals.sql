-- Those of some withdrawals that this database does not know of: it was restored from before them.
SELECT asked.id FROM unnest(:ids) AS asked (id)
EXCEPT
SELECT w.withdrawal_id FROM withdrawals AS w WHERE w.withdrawal_id = ANY(:ids)
