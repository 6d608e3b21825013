-- Saves what was folded from :caught_up_from to :caught_up_to, all of it or nothing: nothing where somebody
-- else was faster. With :keep the folds stay, also when later ones take their place. Array arguments hold one
-- element per fold, then one per row.
WITH moved AS (
    UPDATE campaign_heads SET caught_up = :caught_up_to
    WHERE campaign_id = :campaign AND caught_up = :caught_up_from
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

rows_ AS (
    INSERT INTO view_rows (campaign_id, audience, view, seq, nth, keys, content)
    SELECT moved.campaign_id, r.audience, r.view, r.seq, r.nth, string_to_array(r.keys, chr(31)), r.content
    FROM
        moved,
        unnest(:audiences, :views, :seqs, :nths, :keys, :contents)
            AS r (audience, view, seq, nth, keys, content)
)

SELECT true FROM moved
