import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { JsonFiles, linesById, linesByTime } from '../../../infra/database/json-lines';
import { RowDeletion } from '../../../infra/database/row-deletion';
import { AccountArchive } from '../domain/account-archive';
import { AccountDeletion } from '../domain/account-deletion';

const ACCOUNT = `a.id, a.name, a.plan, a.status, a.sending_paused AS "sendingPaused", a.default_country AS "defaultCountry",
  a.business_portfolio_id AS "businessPortfolioId", a.retention_days AS "retentionDays", a.opt_out_keywords AS "optOutKeywords",
  a.opt_in_keywords AS "optInKeywords", a.created_at AS "createdAt", a.updated_at AS "updatedAt"`;
const SENDER = `s.id, s.is_default AS "default", s.deleted_at AS "deletedAt", s.phone_number_id AS "phoneNumberId", s.business_account_id AS "businessAccountId",
  s.display_phone_number AS "displayPhoneNumber", s.messages_per_second AS "messagesPerSecond", s.messaging_tier AS "messagingTier",
  s.configured_messages_per_second AS "configuredMessagesPerSecond", s.configured_messaging_tier AS "configuredMessagingTier",
  s.platform_messages_per_second AS "platformMessagesPerSecond", s.platform_messaging_tier AS "platformMessagingTier",
  s.platform_quality_rating AS "qualityRating", s.marketing_messages_api AS "marketingMessagesApi",
  s.business_portfolio_id AS "businessPortfolioId"`;
const KEY = `k.id, k.name, k.prefix, k.scopes, k.allowed_ips AS "allowedIps", k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt",
  k.last_used_at AS "lastUsedAt", k.created_at AS "createdAt"`;
const AUDIT_ENTRY = `e.id, e.actor_account_id AS "actorAccountId", e.key_prefix AS "keyPrefix", e.key_name AS "keyName", e.address, e.action,
  e.target_id AS "targetId", e.fields, e.created_at AS "createdAt"`;

const DELETE_AUDIT_ENTRIES = `
DELETE FROM audit_log WHERE id = ANY(ARRAY(SELECT id FROM audit_log WHERE account_id = $1 LIMIT $2))`;

const FILES = {
  'account.jsonl': linesById({ columns: ACCOUNT, table: 'accounts', alias: 'a', where: 'a.id = $1' }),
  'senders.jsonl': linesById({ columns: SENDER, table: 'senders', alias: 's', sender: 's.id' }),
  'api-keys.jsonl': linesByTime({ columns: KEY, table: 'api_keys', alias: 'k' }),
  // Of a sender: what was done with it. An entry without a target is not about the oldest one.
  'audit-log.jsonl': linesByTime({
    columns: AUDIT_ENTRY,
    table: 'audit_log',
    alias: 'e',
    sender: 'COALESCE(e.target_id, e.account_id)',
  }),
};

/**
 * An account with its senders and keys, without their secrets, and its audit log, in the archive of the account and when it is deleted; senders
 * and keys are few, so its row takes them along.
 */
@Injectable()
export class AccountRecords {
  constructor(database: Database, deletion: AccountDeletion, archive: AccountArchive) {
    deletion.addLast(new RowDeletion(database, [DELETE_AUDIT_ENTRIES]));
    archive.add(new JsonFiles(database, FILES));
  }
}
