-- The seq up to which lists are stored for one audience, if they are stored in that form.
SELECT seq FROM stored_folds WHERE campaign_id = :campaign AND audience = :audience AND form = :form
