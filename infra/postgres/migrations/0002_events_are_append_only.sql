SET LOCAL lock_timeout = '3s';

-- The service's login has no right to do any of this; the triggers stop the owner and the superuser too.
-- They fire per statement, so that inserting pays nothing for them.
CREATE FUNCTION refuse_change_of_events() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'events are append-only: % is refused', tg_op
    USING ERRCODE = 'restrict_violation',
    HINT = 'Undo is an event of its own; personal text is erased from personal_text.';
END
$$;

CREATE TRIGGER events_are_append_only
BEFORE UPDATE OR DELETE OR TRUNCATE ON events
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_events();

-- ALWAYS: also where session_replication_role says replica.
ALTER TABLE events ENABLE ALWAYS TRIGGER events_are_append_only;
