-- Saves what was folded from :caught_up_from to :caught_up_to, all of it or nothing: nothing where another
-- worker was faster, or where there are more than :erasures erasures. With :keep the folds stay, also when later ones
-- take their place. Array arguments hold one element per fold, then one per segment of a list, whole: it takes the place
-- of what is stored of it. On the way it measures how many bytes came since the last time, of so many events at the most
-- that it takes no second: 200 beside what an event holds are its other columns and indexes.
WITH moved AS (
    UPDATE campaign_heads AS h
    SET
        caught_up = :caught_up_to, form = coalesce((:fold_forms::text [])[1], form),
        measured_to = greatest(h.measured_to, least(:caught_up_to, h.measured_to + 100000)),
        bytes = h.bytes + (
            SELECT coalesce(sum(200 + octet_length(e.body) + coalesce(octet_length(e.command), 0)), 0)
            FROM events AS e
            WHERE
                e.campaign_id = :campaign AND e.seq > h.measured_to
                AND e.seq <= least(:caught_up_to, h.measured_to + 100000)
        ) + (
            SELECT coalesce(sum(octet_length(t.texts)), 0)
            FROM personal_text AS t
            WHERE
                t.campaign_id = :campaign AND t.seq > h.measured_to
                AND t.seq <= least(:caught_up_to, h.measured_to + 100000)
        )
    WHERE campaign_id = :campaign AND caught_up = :caught_up_from AND erasures = :erasures AND gone_at IS NULL
    RETURNING campaign_id
),

folds AS (
    INSERT INTO stored_folds AS stored (campaign_id, audience, seq, form, content)
    SELECT moved.campaign_id, f.audience, f.seq, f.form, f.content
    FROM
        moved,
        unnest(:fold_audiences, :fold_seqs, :fold_forms, :fold_contents) AS f (audience, seq, form, content)
    ON CONFLICT (campaign_id, audience) DO UPDATE
    SET seq = excluded.seq, form = excluded.form, content = excluded.content
),

kept AS (
    INSERT INTO kept_folds AS kept (campaign_id, audience, seq, form, content)
    SELECT moved.campaign_id, f.audience, f.seq, f.form, f.content
    FROM
        moved,
        unnest(:fold_audiences, :fold_seqs, :fold_forms, :fold_contents) AS f (audience, seq, form, content)
    WHERE :keep
    ON CONFLICT (campaign_id, audience, seq) DO UPDATE
    SET form = excluded.form, content = excluded.content
),

segments AS (
    INSERT INTO view_segments AS segment (campaign_id, audience, view, number, readers, marks, content)
    SELECT
        moved.campaign_id, s.audience, s.view, s.number, string_to_array(s.readers, ','),
        string_to_array(s.marks, ',')::integer [], s.content
    FROM
        moved,
        unnest(:audiences, :views, :numbers, :readers, :marks, :contents)
            AS s (audience, view, number, readers, marks, content)
    ON CONFLICT (campaign_id, audience, view, number) DO UPDATE
    SET readers = excluded.readers, marks = excluded.marks, content = excluded.content
)

SELECT true FROM moved
