import { buildIndex } from '../../../../infra/database/concurrent-indexes';
import type { Migration } from '../../../../infra/database/migrations';

/** KEPT_OF_ACCOUNT (inbound-media.sql.ts): the stored files of an account, without reading those of others. */
export const KEPT_MEDIA: Migration = {
  name: '0105-media-kept',
  transaction: false,
  statements: buildIndex('inbound_media_kept', `inbound_media (account_id, message_id) WHERE state = 'Kept'`),
};
