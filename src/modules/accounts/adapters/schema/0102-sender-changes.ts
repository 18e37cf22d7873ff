import type { Migration } from '../../../../infra/database/migrations';

/**
 * The last transaction that added or deleted a sender, or changed its ids or secret or the status of its account, so that processes can cache these for longer.
 * Recorded when the transaction commits: an earlier lock of the only row could lead to a deadlock.
 */
export const SENDER_CHANGES: Migration = {
  name: '0102-accounts-sender-changes',
  statements: [
    'CREATE TABLE sender_changes (last_transaction xid8 NOT NULL)',
    'INSERT INTO sender_changes VALUES (pg_current_xact_id())',
    `
CREATE FUNCTION record_sender_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sender_changes SET last_transaction = pg_current_xact_id() WHERE last_transaction <> pg_current_xact_id();
  RETURN NULL;
END $$`,
    `
CREATE CONSTRAINT TRIGGER senders_record_new AFTER INSERT OR DELETE ON senders
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_sender_change()`,
    `
CREATE CONSTRAINT TRIGGER senders_record_change AFTER UPDATE ON senders
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.phone_number_id, OLD.business_account_id, OLD.app_secret_encrypted, OLD.deleted_at)
    IS DISTINCT FROM (NEW.phone_number_id, NEW.business_account_id, NEW.app_secret_encrypted, NEW.deleted_at))
  EXECUTE FUNCTION record_sender_change()`,
    `
CREATE CONSTRAINT TRIGGER accounts_record_sender_change AFTER UPDATE ON accounts
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.status <> NEW.status)
  EXECUTE FUNCTION record_sender_change()`,
  ],
};
