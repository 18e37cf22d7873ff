import type { Migration } from '../infra/database/migrations';
import { buildIndex } from '../infra/database/concurrent-indexes';

/** Steps of the upgrade from version 0.1, after those in upgrade-many-accounts.ts: several senders in one account. */
export const SEVERAL_SENDERS_STEPS: readonly Migration[] = [
  {
    name: 'SendersSeveral1790000000111',
    statements: [
      'ALTER TABLE senders ADD COLUMN is_default boolean NOT NULL DEFAULT true, ADD COLUMN deleted_at timestamptz',
    ],
  },
  {
    name: 'SendersSeveralIndexes1790000000112',
    transaction: false,
    statements: [
      ...buildIndex('senders_by_account', 'senders (account_id)'),
      ...buildIndex('senders_default', 'senders (account_id) WHERE is_default', 'UNIQUE INDEX'),
      ...buildIndex('senders_by_phone_number', 'senders (phone_number_id) WHERE deleted_at IS NULL', 'UNIQUE INDEX'),
      `
ALTER TABLE senders DROP CONSTRAINT IF EXISTS senders_account_id_key, DROP CONSTRAINT IF EXISTS senders_phone_number_id_key`,
    ],
  },
  {
    name: 'TemplatesOwners1790000000113',
    statements: [
      'ALTER TABLE templates ADD COLUMN business_account_id text',
      `
-- Processes of an earlier version store templates without a business account: an account had one sender.
CREATE FUNCTION templates_of_default_sender() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.business_account_id := COALESCE((
    SELECT s.business_account_id FROM senders s WHERE s.account_id = NEW.account_id AND s.is_default), '');
  RETURN NEW;
END $$;
CREATE TRIGGER templates_of_default_sender BEFORE INSERT ON templates
  FOR EACH ROW WHEN (NEW.business_account_id IS NULL) EXECUTE FUNCTION templates_of_default_sender();

-- Templates follow the last sender of their business account to another one, until a sync compares them with its list.
CREATE FUNCTION templates_follow_sender() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE templates t SET business_account_id = NEW.business_account_id
  WHERE t.account_id = NEW.account_id AND t.business_account_id = OLD.business_account_id
    AND NOT EXISTS (SELECT 1 FROM senders s WHERE s.account_id = NEW.account_id AND s.business_account_id = OLD.business_account_id
      AND s.deleted_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM templates o WHERE o.account_id = t.account_id
      AND o.business_account_id = NEW.business_account_id AND o.name = t.name AND o.language_code = t.language_code);
  RETURN NULL;
END $$;
CREATE TRIGGER templates_follow_sender AFTER UPDATE OF business_account_id ON senders
  FOR EACH ROW WHEN (NEW.business_account_id <> OLD.business_account_id) EXECUTE FUNCTION templates_follow_sender();`,
    ],
  },
  {
    name: 'TemplatesByBusinessAccount1790000000114',
    transaction: false,
    statements: [
      `
DO $$
BEGIN
  LOOP
    UPDATE templates t SET business_account_id = COALESCE((
      SELECT s.business_account_id FROM senders s WHERE s.account_id = t.account_id AND s.is_default), '')
    WHERE t.id = ANY(ARRAY(SELECT id FROM templates WHERE business_account_id IS NULL LIMIT 1000));
    EXIT WHEN NOT FOUND;
    COMMIT;
  END LOOP;
END $$;`,
      ...buildIndex(
        'templates_by_name',
        'templates (account_id, business_account_id, name, language_code)',
        'UNIQUE INDEX',
      ),
      `
ALTER TABLE templates ALTER COLUMN business_account_id SET NOT NULL,
  DROP CONSTRAINT IF EXISTS templates_account_id_name_language_code_key`,
    ],
  },
  {
    name: 'MessagesSenders1790000000115',
    statements: ['ALTER TABLE messages ADD COLUMN sender_id uuid'],
  },
  {
    name: 'ConversationsSenders1790000000116',
    statements: ['ALTER TABLE conversations ADD COLUMN sender_id uuid'],
  },
  {
    name: 'MediaSenders1790000000117',
    statements: ['ALTER TABLE inbound_media ADD COLUMN sender_id uuid'],
  },
  // Since the constraint of template names is dropped, no process of an earlier version stores templates.
  {
    name: 'TemplatesOwned1790000000118',
    statements: ['DROP TRIGGER templates_of_default_sender ON templates', 'DROP FUNCTION templates_of_default_sender'],
  },
  {
    name: 'BulkJobsRequests1790000000119',
    statements: ['ALTER TABLE bulk_jobs ADD COLUMN request_id text, ADD COLUMN traceparent text'],
  },
  {
    name: 'SendingRequests1790000000120',
    statements: ['ALTER TABLE single_sends ADD COLUMN request_id text, ADD COLUMN traceparent text'],
  },
  {
    name: 'EventsTraces1790000000121',
    statements: [
      'ALTER TABLE webhook_outbox ADD COLUMN traceparent text',
      // Calls of earlier versions, without a trace, find the new function.
      'DROP FUNCTION webhook_outbox_write(uuid, text[], text[])',
      `
CREATE FUNCTION webhook_outbox_write(account uuid, types text[], events text[], trace text DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_outbox (endpoint_id, bodies, payload, traceparent)
  SELECT e.id, b.bodies, b.payload, $4
  FROM webhook_endpoints e CROSS JOIN LATERAL (
    SELECT count(*) AS bodies, string_agg(u.event, E'\\n' ORDER BY u.n) AS payload
    FROM unnest($2, $3) WITH ORDINALITY AS u (type, event, n) WHERE u.type = ANY (e.events)) b
  WHERE e.account_id = $1 AND e.status = 'Enabled' AND e.max_events = 1 AND b.bodies > 0;

  INSERT INTO webhook_outbox (endpoint_id, bodies, payload, traceparent)
  SELECT b.id, count(*), string_agg(b.body, E'\\n' ORDER BY b.chunk), $4
  FROM (
    SELECT c.id, c.chunk, '{"events":[' || string_agg(c.event, ',' ORDER BY c.n) || ']}' AS body
    FROM (
      SELECT e.id, u.n, u.event, (row_number() OVER (PARTITION BY e.id ORDER BY u.n) - 1) / e.max_events AS chunk
      FROM webhook_endpoints e JOIN unnest($2, $3) WITH ORDINALITY AS u (type, event, n) ON u.type = ANY (e.events)
      WHERE e.account_id = $1 AND e.status = 'Enabled' AND e.max_events > 1) c
    GROUP BY c.id, c.chunk) b
  GROUP BY b.id;

  PERFORM webhook_endpoints_wake($1, $2);
END $$;`,
    ],
  },
];
