import type { Migration } from '../../../../infra/database/migrations';

/** Samples the recipients that have opted out apart from the failed ones, which include them. Samples of the time before are not changed. */
export const OPTED_OUT_PACE: Migration = {
  name: '0101-delivery-opted-out',
  transaction: false,
  statements: [
    'ALTER TABLE job_pace ADD COLUMN IF NOT EXISTS skipped integer NOT NULL DEFAULT 0',
    `
CREATE OR REPLACE FUNCTION job_pace_begin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO job_pace (job_id, sent, failed, skipped) VALUES (NEW.id, OLD.successfully_sent, OLD.failed, OLD.skipped)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$`,
    `
DO $$
DECLARE
  after uuid := '00000000-0000-0000-0000-000000000000';
  ids uuid[];
BEGIN
  LOOP
    ids := ARRAY(SELECT job_id FROM job_pace WHERE job_id > after ORDER BY job_id LIMIT 1000);
    EXIT WHEN cardinality(ids) = 0;
    after := ids[cardinality(ids)];
    UPDATE job_pace p SET skipped = j.skipped FROM bulk_jobs j
    WHERE p.job_id = ANY(ids) AND j.id = p.job_id AND j.skipped <> p.skipped;
    COMMIT;
  END LOOP;
END $$`,
  ],
};
