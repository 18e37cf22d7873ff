import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The workers that are alive and how many lanes each runs, so that lanes spread evenly over them. */
export class DeliveryWorkers1790000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE lane_workers (
  owner text PRIMARY KEY,
  lanes integer NOT NULL,
  lease_until timestamptz NOT NULL
) WITH (fillfactor = 50);`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
