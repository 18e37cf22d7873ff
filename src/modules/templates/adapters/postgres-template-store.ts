import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { nearestOf } from '../../../infra/nearest-name';
import type { Page, PageRequest } from '../../../kernel/page';
import type { SyncPlan } from '../domain/sync-plan';
import type { Template, TemplateFilter, TemplateOwner } from '../domain/template';
import type { TemplateComponents } from '../domain/template-components';
import type { TemplateReport } from '../domain/template-report';
import { TemplateStore } from '../domain/template-store.port';
import {
  INSERT_REVISIONS,
  INSERT_TEMPLATES,
  LOCK_BY_ID,
  LOCK_TEMPLATES,
  MATCHING,
  REMOVE_TEMPLATES,
  SAVE_STATES,
  SAVE_TEMPLATE,
  SELECT_REVISION,
  SELECT_BY_TEXT,
  SELECT_TEMPLATES,
  TOUCH_TEMPLATES,
  UPDATE_TEMPLATES,
} from './template-rows.sql';

/** Maximum number of rows per statement, so that none blocks the single connection of the embedded database for long. */
const MAX_ROWS = 1000;
/** Maximum number of names that a misspelt one is compared with, in some 50 ms. */
const MAX_COMPARED = 10_000;

/** Stores templates and their revisions in two tables; revision rows are never changed. */
@Injectable()
export class PostgresTemplateStore extends TemplateStore {
  constructor(private readonly database: Database) {
    super();
  }

  async page(accountId: string, filter: TemplateFilter, { page, pageSize }: PageRequest): Promise<Page<Template>> {
    const pattern = filter.search ? `%${filter.search.replace(/[\\%_]/g, '\\$&')}%` : undefined;
    const { status, languageCode, category, source = 'Authored', sendable, businessAccountIds } = filter;
    const wanted = [accountId, status, languageCode, category, pattern, source, sendable, businessAccountIds];
    const matching = wanted.map((value) => value ?? null);
    const [counted] = await this.database.rows<{ count: number }>(
      `SELECT count(*)::int AS count FROM templates t JOIN template_revisions r ON r.id = t.revision_id ${MATCHING}`,
      matching,
    );
    const items = await this.database.rows<Template>(
      `${SELECT_TEMPLATES} ${MATCHING} ORDER BY t.created_at DESC, t.id DESC LIMIT $9 OFFSET $10`,
      [...matching, pageSize, (page - 1) * pageSize],
    );
    return { items, page, pageSize, totalCount: counted?.count ?? 0 };
  }

  async byId(accountId: string, templateId: string): Promise<Template | null> {
    const sql = `${SELECT_TEMPLATES} WHERE t.account_id = $1 AND t.id = $2`;
    const [row] = await this.database.rows<Template>(sql, [accountId, templateId]);
    return row ?? null;
  }

  byName(accountId: string, name: string): Promise<Template[]> {
    const sql = `${SELECT_TEMPLATES} WHERE t.account_id = $1 AND t.name = $2`;
    return this.database.rows<Template>(sql, [accountId, name]);
  }

  async nearestName({ accountId, businessAccountId }: TemplateOwner, name: string): Promise<string | null> {
    const rows = await this.database.rows<{ name: string }>(
      `SELECT DISTINCT name FROM templates WHERE account_id = $1 AND business_account_id = $2 AND status <> 'Deleted'
       ORDER BY name LIMIT $3`,
      [accountId, businessAccountId, MAX_COMPARED],
    );
    return (
      nearestOf(
        name,
        rows.map((row) => row.name),
      ) ?? null
    );
  }

  withText(
    { accountId, businessAccountId }: TemplateOwner,
    languageCode: string,
    { bodyText, footerText }: Pick<TemplateComponents, 'bodyText' | 'footerText'>,
  ): Promise<Template[]> {
    return this.database.rows<Template>(SELECT_BY_TEXT, [
      ...[accountId, languageCode, bodyText, footerText, businessAccountId],
    ]);
  }

  async byRevision(revisionId: string): Promise<Template | null> {
    const [row] = await this.database.rows<Template>(SELECT_REVISION, [revisionId]);
    return row ?? null;
  }

  async all(accountId: string): Promise<Template[]> {
    const templates: Template[] = [];
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const rows = await this.database.rows<Template>(
        `${SELECT_TEMPLATES} WHERE t.account_id = $1 AND t.id > $2 ORDER BY t.id LIMIT $3`,
        [accountId, after, MAX_ROWS],
      );
      templates.push(...rows);
      if (rows.length < MAX_ROWS) return templates;
      after = rows.at(-1)!.id;
    }
  }

  record(accountId: string, owner: string, plan: SyncPlan): Promise<string[] | null> {
    return this.database.transaction(async () => {
      const held = await this.database.rows(
        `SELECT 1 FROM template_syncs WHERE account_id = $1 AND owner = $2 AND lease_until > clock_timestamp() FOR UPDATE`,
        [accountId, owner],
      );
      if (held.length === 0) return null;
      const seen = [...plan.updated, ...plan.unchanged, ...plan.removed].sort(byId);
      // In the same order as reports, to avoid deadlocks.
      for (const locked of chunksOf(seen)) await this.database.rows(LOCK_BY_ID, [locked.map(({ id }) => id)]);
      const writtenIds = new Set<string>();
      for (const added of chunksOf(plan.added)) await this.insert(accountId, added, plan.at, writtenIds);
      for (const updated of chunksOf(plan.updated)) await this.update(updated, plan, writtenIds);
      for (const unchanged of chunksOf(plan.unchanged))
        await this.updateSeen(TOUCH_TEMPLATES, unchanged, plan, writtenIds);
      for (const removed of chunksOf(plan.removed)) await this.updateSeen(REMOVE_TEMPLATES, removed, plan, writtenIds);
      return [...plan.added, ...seen].map(({ id }) => id).filter((id) => !writtenIds.has(id));
    });
  }

  lock(
    { accountId, businessAccountId }: TemplateOwner,
    identities: readonly Pick<TemplateReport, 'platformTemplateId' | 'name'>[],
  ): Promise<Template[]> {
    const names = identities.map(({ name }) => name).filter((name) => name !== null);
    const ids = identities.map(({ platformTemplateId }) => platformTemplateId).filter((id) => id !== null);
    return this.database.rows<Template>(LOCK_TEMPLATES, [accountId, names, ids, businessAccountId]);
  }

  save(template: Template): Promise<void> {
    return this.database.transaction(async () => {
      const { id, accountId, platformTemplateId, name, languageCode, category, status, components } = template;
      const { rows } = await this.database.execute(SAVE_TEMPLATE, [
        ...[id, accountId, platformTemplateId, name, languageCode, category, status],
        ...[template.qualityRating, template.rejectionReason, components.parameterFormat, template.revisionId],
        ...[template.statusAt, template.createdAt, template.updatedAt, template.lastSyncedAt],
        template.businessAccountId,
      ]);
      if (rows.length > 0) await this.insertRevisions([template], template.updatedAt);
    });
  }

  async saveState(templates: readonly Template[]): Promise<void> {
    await this.database.execute(
      SAVE_STATES,
      columns(templates, [
        ...(['id', 'status', 'qualityRating', 'category', 'rejectionReason', 'statusAt', 'updatedAt'] as const),
      ]),
    );
  }

  private async updateSeen(
    sql: string,
    templates: Template[],
    { at, readFrom }: SyncPlan,
    writtenIds: Set<string>,
  ): Promise<void> {
    const { rows } = await this.database.execute<{ id: string }>(sql, [at, templates.map(({ id }) => id), readFrom]);
    for (const { id } of rows) writtenIds.add(id);
  }

  private async insert(accountId: string, templates: Template[], at: Date, writtenIds: Set<string>): Promise<void> {
    const inserted = await this.database.rows<{ id: string }>(INSERT_TEMPLATES, [
      accountId,
      at,
      ...columns(templates, ['id', 'platformTemplateId', 'name', 'languageCode', 'category', 'status']),
      ...columns(templates, ['qualityRating', 'rejectionReason', 'source']),
      templates.map(({ components }) => components.parameterFormat),
      ...columns(templates, ['revisionId', 'statusAt', 'businessAccountId']),
    ]);
    for (const { id } of inserted) writtenIds.add(id);
    await this.insertRevisions(
      templates.filter(({ id }) => writtenIds.has(id)),
      at,
    );
  }

  private async update(templates: Template[], { at, readFrom }: SyncPlan, writtenIds: Set<string>): Promise<void> {
    await this.insertRevisions(templates, at);
    const { rows } = await this.database.execute<{ id: string }>(UPDATE_TEMPLATES, [
      at,
      ...columns(templates, [
        'id',
        'platformTemplateId',
        'category',
        'status',
        'qualityRating',
        'rejectionReason',
        'source',
      ]),
      templates.map(({ components }) => components.parameterFormat),
      ...columns(templates, ['revisionId']),
      readFrom,
    ]);
    for (const { id } of rows) writtenIds.add(id);
  }

  private async insertRevisions(templates: Template[], at: Date): Promise<void> {
    await this.database.execute(INSERT_REVISIONS, [
      at,
      ...columns(templates, ['revisionId', 'id']),
      templates.map(({ components }) => JSON.stringify(components)),
    ]);
  }
}

function byId(one: Template, other: Template): number {
  return one.id < other.id ? -1 : 1;
}

function columns(templates: readonly Template[], fields: (keyof Template)[]): unknown[][] {
  return fields.map((field) => templates.map((template) => template[field]));
}

function chunksOf(templates: Template[]): Template[][] {
  const chunks: Template[][] = [];
  for (let from = 0; from < templates.length; from += MAX_ROWS) chunks.push(templates.slice(from, from + MAX_ROWS));
  return chunks;
}
