import { buildIndex } from '../../../../infra/database/concurrent-indexes';
import type { Migration } from '../../../../infra/database/migrations';

const KEY = `(endpoint_id, status, id DESC) WHERE status <> 'Delivered'`;

/** deliveriesOf (webhooks.sql.ts): the failed attempts of an endpoint. Deliveries continue while the indexes of the partitions are built; that of the table adopts them. */
export const FAILED_DELIVERIES: Migration = {
  name: '0118-events-failed-deliveries',
  transaction: false,
  partitions: {
    of: 'webhook_deliveries',
    statements: (partition) => [
      // Left by an interrupted run.
      'DROP INDEX IF EXISTS webhook_deliveries_failed',
      ...buildIndex(`${partition}_failed`, `${partition} ${KEY}`),
    ],
  },
  statements: [`CREATE INDEX IF NOT EXISTS webhook_deliveries_failed ON webhook_deliveries ${KEY}`],
};
