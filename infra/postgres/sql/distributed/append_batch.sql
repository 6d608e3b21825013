-- Appends the batch of one campaign, as `append` does those of many, with the same arguments and verdicts. Called with a
-- campaign, it is carried out on the node that has its shard, and its steps are steps there: each is of one row, which
-- Citus plans once for all campaigns. passing_locked: a head that another session keeps locked is none.
CREATE FUNCTION append_batch(
    campaign uuid,
    passing_locked boolean,
    campaigns uuid [],
    expected_seqs bigint [],
    expected_hashes bytea [],
    last_seqs bigint [],
    last_hashes bytea [],
    decided_ats bigint [],
    first_ats bigint [],
    last_ats bigint [],
    event_batches integer [],
    seqs bigint [],
    recorded_ats bigint [],
    game_times bigint [],
    kind_versions integer [],
    action_ids uuid [],
    actors uuid [],
    kinds text [],
    causes text [],
    visibilities text [],
    salts bytea [],
    hashes bytea [],
    commands bytea [],
    bodies bytea [],
    text_batches integer [],
    text_seqs bigint [],
    text_salts bytea [],
    texts bytea [],
    answer_batches integer [],
    answer_accounts uuid [],
    answer_keys text [],
    answer_requests bytea [],
    answer_actions uuid [],
    answers bytea [],
    member_batches integer [] DEFAULT '{}',
    member_accounts uuid [] DEFAULT '{}',
    member_roles text [] DEFAULT '{}',
    timer_batches integer [] DEFAULT '{}',
    timer_causes uuid [] DEFAULT '{}',
    timer_subjects text [] DEFAULT '{}',
    timer_clocks text [] DEFAULT '{}',
    timer_dues bigint [] DEFAULT '{}',
    timer_wakes bigint [] DEFAULT '{}',
    fired_batches integer [] DEFAULT '{}',
    fired_causes uuid [] DEFAULT '{}',
    fired_subjects text [] DEFAULT '{}',
    seed_batches integer [] DEFAULT '{}',
    seed_epochs bigint [] DEFAULT '{}',
    sealed_seeds bytea [] DEFAULT '{}',
    OUT status text,
    OUT duplicates bigint []
)
LANGUAGE plpgsql
SET plan_cache_mode = auto
AS $$
DECLARE
    -- Out of their arrays first: an UPDATE that takes elements of arrays crashes Citus 13.2 when it is run again.
    expected_seq bigint := expected_seqs[1];
    expected_hash bytea := expected_hashes[1];
    last_seq bigint := last_seqs[1];
    last_hash bytea := last_hashes[1];
    decided_at bigint := decided_ats[1];
    first_at bigint := first_ats[1];
    last_at bigint := last_ats[1];
    head record;
    clock bigint;
    given record;
BEGIN
    IF passing_locked THEN
        SELECT h.seq, h.hash, h.recorded_at, h.gone_at INTO head
        FROM campaign_heads AS h
        WHERE h.campaign_id = campaign
        FOR UPDATE SKIP LOCKED;
    ELSE
        SELECT h.seq, h.hash, h.recorded_at, h.gone_at INTO head
        FROM campaign_heads AS h
        WHERE h.campaign_id = campaign
        FOR UPDATE;
    END IF;
    clock := extract(EPOCH FROM clock_timestamp()) * 1000000;

    -- Where the head is or would be, if that is another node after all; a count has a row in any case.
    PERFORM set_config('fieldlog.campaigns', left(count(*)::text, 0) || '{' || campaign || '}', true)
    FROM campaign_heads AS h
    WHERE h.campaign_id = campaign;

    FOR given IN
        SELECT *
        FROM unnest(answer_accounts, answer_keys) WITH ORDINALITY AS a (account_id, key, nth)
    LOOP
        PERFORM FROM idempotency_keys AS k
        WHERE k.campaign_id = campaign AND k.account_id = given.account_id AND k.key = given.key;
        IF found THEN
            duplicates := duplicates || given.nth;
        END IF;
    END LOOP;

    status := CASE
        WHEN head.gone_at IS NOT NULL THEN 'gone'
        WHEN duplicates IS NOT NULL THEN 'duplicate_key'
        WHEN coalesce(head.seq, 0) <> expected_seq THEN 'version_conflict'
        WHEN (head.hash <> expected_hash) IS TRUE THEN 'version_conflict'
        WHEN decided_at < clock - 15000000 OR first_at < head.recorded_at THEN 'clock_skew'
        WHEN last_at > greatest(clock + 1000000, head.recorded_at) THEN 'clock_skew'
        ELSE 'committed'
    END;
    IF status <> 'committed' THEN
        IF status <> 'duplicate_key' THEN
            duplicates := NULL;
        END IF;
        RETURN;
    END IF;

    IF expected_seq = 0 THEN
        INSERT INTO campaign_heads (campaign_id, seq, recorded_at, hash)
        VALUES (campaign, last_seq, last_at, last_hash)
        ON CONFLICT (campaign_id) DO NOTHING;
        IF NOT found THEN
            status := 'version_conflict';
            RETURN;
        END IF;
    ELSE
        UPDATE campaign_heads AS h
        SET seq = last_seq, recorded_at = last_at, hash = last_hash
        WHERE h.campaign_id = campaign;
    END IF;

    FOR given IN
        SELECT *
        FROM
            unnest(
                seqs, recorded_ats, game_times, kind_versions, action_ids, actors, kinds, causes, visibilities,
                salts, hashes, commands, bodies
            ) AS e (
                seq, recorded_at, game_time, kind_version, action_id, actor, kind, cause, visibility,
                salt, hash, command, body
            )
    LOOP
        INSERT INTO events (
            campaign_id, seq, recorded_at, game_time, kind_version, action_id, actor, kind, cause, visibility,
            salt, hash, command, body
        )
        VALUES (
            campaign, given.seq, given.recorded_at, given.game_time, given.kind_version, given.action_id,
            given.actor, given.kind, given.cause, given.visibility, given.salt, given.hash, given.command, given.body
        );
    END LOOP;

    FOR given IN SELECT * FROM unnest(text_seqs, text_salts, texts) AS t (seq, salt, texts) LOOP
        INSERT INTO personal_text (campaign_id, seq, salt, texts)
        VALUES (campaign, given.seq, given.salt, given.texts);
    END LOOP;

    FOR given IN
        SELECT *
        FROM
            unnest(answer_accounts, answer_keys, answer_requests, answer_actions, answers)
                AS a (account_id, key, request_hash, action_id, answer)
    LOOP
        INSERT INTO idempotency_keys (campaign_id, account_id, key, request_hash, action_id, answer)
        VALUES (campaign, given.account_id, given.key, given.request_hash, given.action_id, given.answer);
    END LOOP;

    FOR given IN SELECT * FROM unnest(seed_epochs, sealed_seeds) AS s (epoch, sealed) LOOP
        INSERT INTO dice_seeds (campaign_id, epoch, sealed)
        VALUES (campaign, given.epoch, given.sealed);
    END LOOP;

    FOR given IN SELECT * FROM unnest(member_accounts, member_roles) AS m (account_id, role) LOOP
        PERFORM FROM campaign_members AS old
        WHERE old.campaign_id = campaign AND old.account_id = given.account_id;
        IF found AND given.role IS DISTINCT FROM 'gm' THEN
            UPDATE invites AS invite
            SET revoked_at = now()
            WHERE
                invite.campaign_id = campaign AND given.account_id IN (invite.created_by, invite.for_account)
                AND invite.revoked_at IS NULL;
        END IF;
        IF given.role IS NULL THEN
            DELETE FROM campaign_members AS old
            WHERE old.campaign_id = campaign AND old.account_id = given.account_id;
        ELSE
            INSERT INTO campaign_members (campaign_id, account_id, role)
            VALUES (campaign, given.account_id, given.role)
            ON CONFLICT (campaign_id, account_id) DO UPDATE SET role = excluded.role;
        END IF;
    END LOOP;

    FOR given IN SELECT * FROM unnest(fired_causes, fired_subjects) AS f (cause, subject) LOOP
        DELETE FROM timers AS old
        WHERE old.campaign_id = campaign AND old.cause = given.cause AND old.subject = given.subject;
    END LOOP;

    FOR given IN
        SELECT *
        FROM
            unnest(timer_causes, timer_subjects, timer_clocks, timer_dues, timer_wakes)
                AS t (cause, subject, clock, due, wake_at)
    LOOP
        INSERT INTO timers (campaign_id, cause, subject, clock, due, wake_at)
        VALUES (campaign, given.cause, given.subject, given.clock, given.due, given.wake_at)
        ON CONFLICT (campaign_id, cause, subject) DO UPDATE
        SET
            clock = excluded.clock, due = excluded.due, wake_at = excluded.wake_at,
            attempts = 0, parked_at = NULL, error = NULL;
    END LOOP;
END
$$
