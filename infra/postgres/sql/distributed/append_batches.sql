-- Appends the batches of several campaigns, as `append` does, with the same arguments and verdicts. It is carried out on
-- the node that has the shard of `campaign`, one of them. Its steps are steps there, if the others lie on that node,
-- too: each is of one row, which Citus plans once for all campaigns. Where one lies elsewhere, as after a move, its steps
-- are carried out there. Callers give campaigns in order, so that no two calls wait for each other.
-- passing_locked: a head that another session keeps locked is none.
CREATE FUNCTION append_batches(
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
RETURNS SETOF record
LANGUAGE plpgsql
SET plan_cache_mode = auto
SET lock_timeout = '400ms' -- the service's own, of which another node does not hear
AS $$
DECLARE
    named text := campaigns;
    good boolean [];
    -- A record's, and no elements of arrays: an UPDATE that takes such crashes Citus 13.2 when it is run again.
    batch record;
    head record;
    given record;
    clock bigint;
    nth integer := 1;
    account uuid;
    known_key text;
BEGIN
    FOR batch IN
        SELECT *
        FROM
            unnest(
                campaigns, expected_seqs, expected_hashes, last_seqs, last_hashes, decided_ats, first_ats, last_ats
            ) WITH ORDINALITY AS c (
                campaign_id, expected_seq, expected_hash, last_seq, last_hash, decided_at, first_at, last_at, place
            )
    LOOP
        IF passing_locked THEN
            SELECT h.seq, h.hash, h.recorded_at, h.gone_at INTO head
            FROM campaign_heads AS h
            WHERE h.campaign_id = batch.campaign_id
            FOR UPDATE SKIP LOCKED;
        ELSE
            SELECT h.seq, h.hash, h.recorded_at, h.gone_at INTO head
            FROM campaign_heads AS h
            WHERE h.campaign_id = batch.campaign_id
            FOR UPDATE;
        END IF;
        clock := extract(EPOCH FROM clock_timestamp()) * 1000000;

        -- Where the head is or would be, if that is another node after all; a count has a row in any case.
        PERFORM set_config('fieldlog.campaigns', left(count(*)::text, 0) || named, true)
        FROM campaign_heads AS h
        WHERE h.campaign_id = batch.campaign_id;

        -- Answers come in the order of their batches.
        duplicates := NULL;
        WHILE answer_batches[nth] = batch.place LOOP
            account := answer_accounts[nth];
            known_key := answer_keys[nth];
            PERFORM FROM idempotency_keys AS k
            WHERE k.campaign_id = batch.campaign_id AND k.account_id = account AND k.key = known_key;
            IF found THEN
                duplicates := duplicates || nth::bigint;
            END IF;
            nth := nth + 1;
        END LOOP;

        status := CASE
            WHEN head.gone_at IS NOT NULL THEN 'gone'
            WHEN duplicates IS NOT NULL THEN 'duplicate_key'
            WHEN coalesce(head.seq, 0) <> batch.expected_seq THEN 'version_conflict'
            WHEN (head.hash <> batch.expected_hash) IS TRUE THEN 'version_conflict'
            WHEN batch.decided_at < clock - 15000000 OR batch.first_at < head.recorded_at THEN 'clock_skew'
            WHEN batch.last_at > greatest(clock + 1000000, head.recorded_at) THEN 'clock_skew'
            ELSE 'committed'
        END;
        IF status = 'gone' THEN
            duplicates := NULL;
        END IF;

        -- What was locked is compared once more: if its shard moved meanwhile, the lock stayed behind.
        IF status = 'committed' THEN
            IF batch.expected_seq = 0 THEN
                INSERT INTO campaign_heads (campaign_id, seq, recorded_at, hash)
                VALUES (batch.campaign_id, batch.last_seq, batch.last_at, batch.last_hash)
                ON CONFLICT (campaign_id) DO NOTHING;
            ELSE
                UPDATE campaign_heads AS h
                SET seq = batch.last_seq, recorded_at = batch.last_at, hash = batch.last_hash
                WHERE h.campaign_id = batch.campaign_id AND h.seq = batch.expected_seq AND h.gone_at IS NULL;
            END IF;
            IF NOT found THEN
                status := 'version_conflict';
            END IF;
        END IF;
        good := good || (status = 'committed');
        RETURN NEXT;
    END LOOP;

    FOR given IN
        SELECT campaigns[e.place] AS campaign_id, e.*
        FROM
            unnest(
                event_batches, seqs, recorded_ats, game_times, kind_versions, action_ids, actors, kinds, causes,
                visibilities, salts, hashes, commands, bodies
            ) AS e (
                place, seq, recorded_at, game_time, kind_version, action_id, actor, kind, cause, visibility,
                salt, hash, command, body
            )
        WHERE good[e.place]
    LOOP
        INSERT INTO events (
            campaign_id, seq, recorded_at, game_time, kind_version, action_id, actor, kind, cause, visibility,
            salt, hash, command, body
        )
        VALUES (
            given.campaign_id, given.seq, given.recorded_at, given.game_time, given.kind_version, given.action_id,
            given.actor, given.kind, given.cause, given.visibility, given.salt, given.hash, given.command, given.body
        );
    END LOOP;

    FOR given IN
        SELECT campaigns[t.place] AS campaign_id, t.*
        FROM unnest(text_batches, text_seqs, text_salts, texts) AS t (place, seq, salt, texts)
        WHERE good[t.place]
    LOOP
        INSERT INTO personal_text (campaign_id, seq, salt, texts)
        VALUES (given.campaign_id, given.seq, given.salt, given.texts);
    END LOOP;

    FOR given IN
        SELECT campaigns[a.place] AS campaign_id, a.*
        FROM
            unnest(answer_batches, answer_accounts, answer_keys, answer_requests, answer_actions, answers)
                AS a (place, account_id, key, request_hash, action_id, answer)
        WHERE good[a.place]
    LOOP
        INSERT INTO idempotency_keys (campaign_id, account_id, key, request_hash, action_id, answer)
        VALUES (
            given.campaign_id, given.account_id, given.key, given.request_hash, given.action_id, given.answer
        );
    END LOOP;

    FOR given IN
        SELECT campaigns[s.place] AS campaign_id, s.*
        FROM unnest(seed_batches, seed_epochs, sealed_seeds) AS s (place, epoch, sealed)
        WHERE good[s.place]
    LOOP
        INSERT INTO dice_seeds (campaign_id, epoch, sealed)
        VALUES (given.campaign_id, given.epoch, given.sealed);
    END LOOP;

    FOR given IN
        SELECT campaigns[m.place] AS campaign_id, m.*
        FROM unnest(member_batches, member_accounts, member_roles) AS m (place, account_id, role)
        WHERE good[m.place]
    LOOP
        PERFORM FROM campaign_members AS old
        WHERE old.campaign_id = given.campaign_id AND old.account_id = given.account_id;
        IF found AND given.role IS DISTINCT FROM 'gm' THEN
            UPDATE invites AS invite
            SET revoked_at = now()
            WHERE
                invite.campaign_id = given.campaign_id
                AND given.account_id IN (invite.created_by, invite.for_account)
                AND invite.revoked_at IS NULL;
        END IF;
        IF given.role IS NULL THEN
            DELETE FROM campaign_members AS old
            WHERE old.campaign_id = given.campaign_id AND old.account_id = given.account_id;
        ELSE
            INSERT INTO campaign_members (campaign_id, account_id, role)
            VALUES (given.campaign_id, given.account_id, given.role)
            ON CONFLICT (campaign_id, account_id) DO UPDATE SET role = excluded.role;
        END IF;
    END LOOP;

    FOR given IN
        SELECT campaigns[f.place] AS campaign_id, f.*
        FROM unnest(fired_batches, fired_causes, fired_subjects) AS f (place, cause, subject)
        WHERE good[f.place]
    LOOP
        DELETE FROM timers AS old
        WHERE old.campaign_id = given.campaign_id AND old.cause = given.cause AND old.subject = given.subject;
    END LOOP;

    FOR given IN
        SELECT campaigns[t.place] AS campaign_id, t.*
        FROM
            unnest(timer_batches, timer_causes, timer_subjects, timer_clocks, timer_dues, timer_wakes)
                AS t (place, cause, subject, clock, due, wake_at)
        WHERE good[t.place]
    LOOP
        INSERT INTO timers (campaign_id, cause, subject, clock, due, wake_at)
        VALUES (given.campaign_id, given.cause, given.subject, given.clock, given.due, given.wake_at)
        ON CONFLICT (campaign_id, cause, subject) DO UPDATE
        SET
            clock = excluded.clock, due = excluded.due, wake_at = excluded.wake_at,
            attempts = 0, parked_at = NULL, error = NULL;
    END LOOP;
END
$$
