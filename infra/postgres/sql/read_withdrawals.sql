-- What was taken away after a moment (:since, microseconds UTC; at that moment, those behind :after), oldest first.
SELECT
    w.withdrawal_id, (extract(EPOCH FROM w.noted_at) * 1000000)::bigint, w.kind,
    nullif(w.campaign, '00000000-0000-0000-0000-000000000000'), w.subject, w.seq, w.salt, w.stays
FROM withdrawals AS w
WHERE (w.noted_at, w.withdrawal_id) > (timestamptz 'epoch' + :since * interval '1 microsecond', :after)
ORDER BY w.noted_at, w.withdrawal_id
LIMIT :most
