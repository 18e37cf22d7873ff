import type { Migration } from '../../../../infra/database/migrations';

/**
 * Which senders changed, so that processes drop only these from what they cache: one row for each state of a sender before or after a change, in
 * order of commits, because each transaction holds the row of sender_changes from its first change on. Kept for longer than processes cache
 * senders; the last row is always there. The version before reads sender_changes.
 */
export const SENDER_CHANGE_LOG: Migration = {
  name: '0117-accounts-sender-change-log',
  statements: [
    `
CREATE TABLE sender_change_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  phone_number_id text NOT NULL,
  business_account_id text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
)`,
    `INSERT INTO sender_change_log (phone_number_id, business_account_id) VALUES ('', '')`,
    `
CREATE OR REPLACE FUNCTION record_sender_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sender_changes SET last_transaction = pg_current_xact_id() WHERE last_transaction <> pg_current_xact_id();
  IF FOUND THEN
    DELETE FROM sender_change_log WHERE at < clock_timestamp() - interval '1 hour';
  END IF;
  IF TG_TABLE_NAME = 'accounts' THEN
    INSERT INTO sender_change_log (phone_number_id, business_account_id)
    SELECT phone_number_id, business_account_id FROM senders WHERE account_id = NEW.id;
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO sender_change_log (phone_number_id, business_account_id)
    VALUES (OLD.phone_number_id, OLD.business_account_id);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO sender_change_log (phone_number_id, business_account_id)
    VALUES (NEW.phone_number_id, NEW.business_account_id);
  END IF;
  RETURN NULL;
END $$`,
  ],
};
