import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { JsonFiles, linesById } from '../../../infra/database/json-lines';
import { RowDeletion } from '../../../infra/database/row-deletion';
import { AccountArchive } from '../../accounts/domain/account-archive';
import { AccountDeletion } from '../../accounts/domain/account-deletion';

const TEMPLATE = `t.id, t.business_account_id AS "businessAccountId", t.platform_template_id AS "platformTemplateId", t.name, t.language_code AS "languageCode", t.category, t.status,
  t.quality_rating AS "qualityRating", t.rejection_reason AS "rejectionReason", t.source, t.parameter_format AS "parameterFormat", t.revision_id AS "revisionId",
  t.status_changed_at AS "statusChangedAt", t.created_at AS "createdAt", t.updated_at AS "updatedAt", t.last_synced_at AS "lastSyncedAt", (
  SELECT jsonb_agg(jsonb_build_object('id', r.id, 'components', r.components, 'createdAt', r.created_at) ORDER BY r.created_at)
  FROM template_revisions r WHERE r.template_id = t.id) AS revisions`;
const DELETE_TEMPLATES = `
DELETE FROM templates WHERE id = ANY(ARRAY(SELECT id FROM templates WHERE account_id = $1 LIMIT $2))`;

const FILES = { 'templates.jsonl': linesById({ columns: TEMPLATE, table: 'templates', alias: 't' }) };

/** The templates of an account with all revisions, in its archive and when it is deleted, after the jobs that send them. */
@Injectable()
export class AccountTemplates {
  constructor(database: Database, deletion: AccountDeletion, archive: AccountArchive) {
    deletion.addLast(new RowDeletion(database, [DELETE_TEMPLATES]));
    archive.add(new JsonFiles(database, FILES));
  }
}
