import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The limits that the operator configures for a sender get the name that says so. Processes of the version before go on to
 * use the old columns, which a trigger keeps equal; a later version can drop both.
 */
export class AccountsConfiguredLimits1790000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE senders RENAME COLUMN own_messages_per_second TO configured_messages_per_second;
ALTER TABLE senders RENAME COLUMN own_messaging_tier TO configured_messaging_tier;
ALTER TABLE senders ADD COLUMN own_messages_per_second integer, ADD COLUMN own_messaging_tier text;
UPDATE senders SET own_messages_per_second = configured_messages_per_second, own_messaging_tier = configured_messaging_tier;

CREATE FUNCTION senders_keep_own_limits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.configured_messages_per_second := COALESCE(NEW.configured_messages_per_second, NEW.own_messages_per_second);
    NEW.configured_messaging_tier := COALESCE(NEW.configured_messaging_tier, NEW.own_messaging_tier);
  ELSE
    IF NEW.own_messages_per_second IS DISTINCT FROM OLD.own_messages_per_second THEN
      NEW.configured_messages_per_second := NEW.own_messages_per_second;
    END IF;
    IF NEW.own_messaging_tier IS DISTINCT FROM OLD.own_messaging_tier THEN
      NEW.configured_messaging_tier := NEW.own_messaging_tier;
    END IF;
  END IF;
  NEW.own_messages_per_second := NEW.configured_messages_per_second;
  NEW.own_messaging_tier := NEW.configured_messaging_tier;
  RETURN NEW;
END $$;
CREATE TRIGGER senders_keep_own_limits BEFORE INSERT OR UPDATE ON senders
  FOR EACH ROW EXECUTE FUNCTION senders_keep_own_limits();`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
