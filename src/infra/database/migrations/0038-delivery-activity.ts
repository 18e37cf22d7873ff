import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What happened when, by job and by account. The counters of jobs are sampled, so that sending and recording write nothing for it; a
 * trigger marks jobs whose counters change where no sample is taken any more. Messages beside jobs, and all failures, are few enough to
 * be counted where they are written, by triggers: no statement can forget them.
 */
export class DeliveryActivity1790000000038 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
-- How much of a job's counters its samples contain. due: the counters have changed since, and no lane looks after the job.
CREATE TABLE job_pace (
  job_id uuid PRIMARY KEY REFERENCES bulk_jobs (id) ON DELETE CASCADE,
  sent integer NOT NULL,
  failed integer NOT NULL,
  step_seconds integer NOT NULL DEFAULT 1,
  samples integer NOT NULL DEFAULT 0,
  last_at timestamptz,
  due boolean NOT NULL DEFAULT false
) WITH (fillfactor = 50);
CREATE INDEX job_pace_due ON job_pace (job_id) WHERE due;
CREATE TABLE job_pace_samples (
  job_id uuid NOT NULL REFERENCES job_pace (job_id) ON DELETE CASCADE,
  at timestamptz NOT NULL,
  sent integer NOT NULL,
  failed integer NOT NULL,
  PRIMARY KEY (job_id, at)
) WITH (fillfactor = 80);

CREATE TABLE account_activity (
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  hour timestamptz NOT NULL,
  sent integer NOT NULL DEFAULT 0,
  delivered integer NOT NULL DEFAULT 0,
  read integer NOT NULL DEFAULT 0,
  undelivered integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  received integer NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, hour)
) WITH (fillfactor = 50);
CREATE TABLE account_failures (
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  hour timestamptz NOT NULL,
  code text NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (account_id, hour, code)
) WITH (fillfactor = 50);
-- Until they are added to the two above.
CREATE TABLE activity_deltas (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  code text,
  sent integer NOT NULL,
  delivered integer NOT NULL,
  read integer NOT NULL,
  undelivered integer NOT NULL,
  failed integer NOT NULL,
  received integer NOT NULL
);

INSERT INTO job_pace (job_id, sent, failed)
SELECT id, successfully_sent, failed FROM bulk_jobs WHERE status = 'Processing' AND completed_at IS NULL LIMIT 5000;

CREATE FUNCTION job_pace_begin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO job_pace (job_id, sent, failed) VALUES (NEW.id, OLD.successfully_sent, OLD.failed) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER job_pace_begin AFTER UPDATE OF status ON bulk_jobs
  FOR EACH ROW WHEN (NEW.status = 'Processing' AND OLD.status <> 'Processing') EXECUTE FUNCTION job_pace_begin();

CREATE FUNCTION job_pace_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE job_pace SET due = true WHERE job_id = NEW.id AND NOT due;
  RETURN NULL;
END $$;
CREATE TRIGGER job_pace_due AFTER UPDATE OF completed_at, at_rest, successfully_sent ON bulk_jobs
  FOR EACH ROW WHEN ((NEW.at_rest AND NOT OLD.at_rest) OR (NEW.completed_at IS NOT NULL
    AND (OLD.completed_at IS NULL OR NEW.successfully_sent <> OLD.successfully_sent))) EXECUTE FUNCTION job_pace_due();

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
  EXECUTE FUNCTION messages_count_activity();`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
