import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Contacts and opt-outs have the canonical number of the person. Numbers were stored as they were first given, beside a key; the key
 * of Argentine numbers lacked the 9.
 */
export class GroupsCanonicalNumbers1790000000059 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
DO $$
DECLARE
  done uuid := '00000000-0000-0000-0000-000000000000';
  last uuid;
  changed integer;
BEGIN
  LOOP
    SELECT id INTO last FROM (SELECT id FROM contacts WHERE id > done ORDER BY id LIMIT 5000) next ORDER BY id DESC LIMIT 1;
    EXIT WHEN last IS NULL;
    UPDATE contacts c SET phone = canonical, phone_key = canonical
    FROM (SELECT id, regexp_replace(phone_key, '^54([1-3][0-9]{9})$', '549\\1') AS canonical FROM contacts
          WHERE id > done AND id <= last) read
    WHERE c.id = read.id AND (phone <> canonical OR phone_key <> canonical);
    done := last;
  END LOOP;
  LOOP
    UPDATE opt_outs o SET person = canonical, phone = CASE WHEN phone IS NULL THEN NULL ELSE canonical END
    FROM (SELECT account_id, person AS known, scope, regexp_replace(person, '^54([1-3][0-9]{9})$', '549\\1') AS canonical
          FROM opt_outs WHERE person ~ '^54[1-3][0-9]{9}$' OR (phone <> person AND person ~ '^[0-9]+$') LIMIT 5000) read
    WHERE o.account_id = read.account_id AND o.person = read.known AND o.scope = read.scope;
    GET DIAGNOSTICS changed = ROW_COUNT;
    EXIT WHEN changed = 0;
  END LOOP;
END $$;`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
