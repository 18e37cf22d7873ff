/** Counts messages outside of jobs, and all failures, by triggers, which no statement can bypass; they are few enough. */
export const ACTIVITY_COUNTS = `
CREATE FUNCTION messages_count_activity() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_own boolean := NEW.job_id IS NULL AND NEW.direction = 'Outbound';
  after text := CASE WHEN is_own THEN NEW.status ELSE '' END;
  before text := CASE WHEN is_own AND TG_OP = 'UPDATE' THEN OLD.status ELSE '' END;
  known text := CASE WHEN TG_OP = 'UPDATE' THEN OLD.problem END;
BEGIN
  INSERT INTO activity_deltas (account_id, code, sent, delivered, read, undelivered, failed, received) VALUES (
    NEW.account_id,
    CASE WHEN NEW.direction = 'Outbound' AND NEW.problem IS DISTINCT FROM known THEN NEW.problem END,
    (after IN ('Sent', 'Delivered', 'Read', 'Undelivered'))::int - (before IN ('Sent', 'Delivered', 'Read', 'Undelivered'))::int,
    (after IN ('Delivered', 'Read'))::int - (before IN ('Delivered', 'Read'))::int,
    (after = 'Read')::int - (before = 'Read')::int,
    (after = 'Undelivered')::int - (before = 'Undelivered')::int,
    (after IN ('Failed', 'Skipped', 'Cancelled'))::int - (before IN ('Failed', 'Skipped', 'Cancelled'))::int,
    (NEW.direction = 'Inbound')::int);
  RETURN NULL;
END $$;
CREATE TRIGGER messages_count_added AFTER INSERT ON messages
  FOR EACH ROW WHEN (NEW.job_id IS NULL OR NEW.problem IS NOT NULL) EXECUTE FUNCTION messages_count_activity();
CREATE TRIGGER messages_count_changed AFTER UPDATE OF status, problem ON messages
  FOR EACH ROW WHEN (NEW.direction = 'Outbound' AND ((NEW.job_id IS NULL AND NEW.status <> OLD.status)
    OR (NEW.problem IS NOT NULL AND NEW.problem IS DISTINCT FROM OLD.problem)))
  EXECUTE FUNCTION messages_count_activity();
`;
