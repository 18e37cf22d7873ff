import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One row that says which database this is: restored from a dump it says which one it was. See DatabaseIdentity. */
export class DatabaseIdentity1790000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE database_identity (
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  -- System identifier of the cluster, OID of the database and OID of this table, as they were when the service last started.
  identity text NOT NULL,
  timeline integer,
  -- When it was last found or said to be restored.
  restored_at timestamptz
);
INSERT INTO database_identity (identity)
SELECT concat_ws('/', c.system_identifier, d.oid, 'database_identity'::regclass::oid)
FROM pg_control_system() c, pg_database d WHERE d.datname = current_database();`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
