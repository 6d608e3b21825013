-- Segments of some lists of a campaign as they are stored, with the audiences whose rows they hold.
SELECT view, number, audience, readers, marks, content
FROM view_segments
WHERE campaign_id = :campaign AND view = ANY(:views) AND number = ANY(:numbers)
