import { buildIndex } from '../../../../infra/database/concurrent-indexes';
import type { Migration } from '../../../../infra/database/migrations';

/** BY_KEYS (contact-search.sql.ts): contacts by the end of a number. */
export const CONTACT_NUMBER_ENDS: Migration = {
  name: '0113-groups-number-ends',
  transaction: false,
  statements: buildIndex(
    'contacts_by_number_end',
    `contacts (account_id, (reverse(phone_key) COLLATE "C")) WHERE phone_key IS NOT NULL`,
  ),
};
