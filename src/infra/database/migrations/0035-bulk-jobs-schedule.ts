import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When a job may send: from a moment on, and only in its send window, hours of the day by the clock of a time zone. The check refuses a
 * time zone that this database does not know: a statement that reads it would fail for every job of the sender. Of older
 * jobs `valid_for_seconds` is not known, but `valid_until` counts from their creation.
 */
export class BulkJobsSchedule1790000000035 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE bulk_jobs ADD COLUMN valid_for_seconds integer, ADD COLUMN send_from time, ADD COLUMN send_until time,
  ADD COLUMN send_zone text, ADD COLUMN send_days smallint[],
  ADD CONSTRAINT bulk_jobs_send_window CHECK (
    num_nulls(send_from, send_until, send_zone, send_days) = 4
    OR (num_nulls(send_from, send_until, send_zone, send_days) = 0 AND send_from <> send_until AND cardinality(send_days) > 0
      AND timestamptz '2026-01-01 00:00:00+00' AT TIME ZONE send_zone IS NOT NULL));
CREATE INDEX bulk_jobs_scheduled ON bulk_jobs (scheduled_at) WHERE status = 'Scheduled';`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
