import type { Migration } from '../../../../infra/database/migrations';
import { CREATE_VACUUMED_PARTITIONS, VACUUM_OF_LARGE_TABLES } from './change-message-partition.sql';

/** Vacuums tables with a row for each message in time: the monthly partitions, those of today and later ones, and single sends with their keys. */
export const VACUUM_OF_PARTITIONS: Migration = {
  name: '0110-messages-vacuum',
  transaction: false,
  partitions: {
    of: 'messages',
    statements: (partition) => [`ALTER TABLE ${partition} SET (${VACUUM_OF_LARGE_TABLES})`],
  },
  statements: [
    CREATE_VACUUMED_PARTITIONS,
    ...['single_sends', 'idempotency_keys', 'inbound_media'].map(
      (table) => `ALTER TABLE ${table} SET (${VACUUM_OF_LARGE_TABLES})`,
    ),
  ],
};
