import type { Migration } from '../../../../infra/database/migrations';

const isUnread = (row: string): string => `((${row}.unread_count > 0 AND ${row}.state = 'Open') IS TRUE)`;

/**
 * The number of unread open conversations of an account, without reading them: a count and the changes since, which one process adds to it
 * (unread-counts.sql.ts). Writers only insert changes, so none waits for another one. Those of the version before are recorded, too. An account
 * without a count gets one with its next change.
 */
export const UNREAD_COUNTS: Migration = {
  name: '0120-chat-history-unread-counts',
  statements: [
    `
CREATE TABLE unread_counts (
  account_id uuid PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  count integer NOT NULL
)`,
    `
CREATE TABLE unread_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id uuid NOT NULL,
  -- 1: a conversation is unread and open now, -1: no longer.
  change integer NOT NULL
)`,
    // COUNT_UNREAD: the changes of an account.
    'CREATE INDEX unread_changes_by_account ON unread_changes (account_id) INCLUDE (change)',
    `
CREATE FUNCTION conversations_count_unread() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO unread_changes (account_id, change) VALUES (OLD.account_id, -1);
  ELSE
    INSERT INTO unread_changes (account_id, change) VALUES (NEW.account_id, CASE WHEN ${isUnread('NEW')} THEN 1 ELSE -1 END);
  END IF;
  RETURN NULL;
END $$`,
    `
CREATE TRIGGER conversations_unread_added AFTER INSERT ON conversations
  FOR EACH ROW WHEN (${isUnread('NEW')}) EXECUTE FUNCTION conversations_count_unread()`,
    `
CREATE TRIGGER conversations_unread_changed AFTER UPDATE OF unread_count, state ON conversations
  FOR EACH ROW WHEN (${isUnread('NEW')} <> ${isUnread('OLD')}) EXECUTE FUNCTION conversations_count_unread()`,
    `
CREATE TRIGGER conversations_unread_removed AFTER DELETE ON conversations
  FOR EACH ROW WHEN (${isUnread('OLD')}) EXECUTE FUNCTION conversations_count_unread()`,
  ],
};
