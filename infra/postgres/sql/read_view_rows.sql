-- A page of a stored list: rows after :after up to :upto that carry all of :keys.
SELECT view, seq, nth, keys, content
FROM view_rows
WHERE
    campaign_id = :campaign AND audience = :audience AND view = :view
    AND seq > :after AND seq <= :upto
    AND keys @> string_to_array(:keys, chr(31))
ORDER BY seq, nth
LIMIT :most
