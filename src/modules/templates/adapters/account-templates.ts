import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { JsonFiles, linesById } from '../../../infra/database/json-lines';
import { AccountArchive } from '../../accounts/domain/account-archive';

const TEMPLATE = `t.id, t.business_account_id AS "businessAccountId", t.platform_template_id AS "platformTemplateId", t.name, t.language_code AS "languageCode", t.category, t.status,
  t.quality_rating AS "qualityRating", t.rejection_reason AS "rejectionReason", t.source, t.created_at AS "createdAt", (
  SELECT jsonb_agg(jsonb_build_object('id', r.id, 'components', r.components, 'createdAt', r.created_at) ORDER BY r.created_at)
  FROM template_revisions r WHERE r.template_id = t.id) AS revisions`;
const FILES = { 'templates.jsonl': linesById({ columns: TEMPLATE, table: 'templates', alias: 't' }) };

/** The templates of an account with all revisions, in its archive. */
@Injectable()
export class AccountTemplates {
  constructor(database: Database, archive: AccountArchive) {
    archive.add(new JsonFiles(database, FILES));
  }
}
