import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RunningSandbox, startSandbox } from '../../libs/platform-sandbox/sandbox';
import { CloudApiClient } from '../../src/infra/cloud-api/cloud-api-client';
import type { Database } from '../../src/infra/database/database';
import { TypeOrmUnitOfWork } from '../../src/infra/database/typeorm-unit-of-work';
import { SystemClock } from '../../src/infra/system-clock';
import { uuidV7 } from '../../src/kernel/uuid';
import { PostgresAuditStore } from '../../src/modules/accounts/adapters/postgres-audit-store';
import type { AccountStore } from '../../src/modules/accounts/domain/account-store.port';
import { AuditLogService } from '../../src/modules/accounts/domain/audit-log.service';
import type { Sender } from '../../src/modules/accounts/domain/sender';
import { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { CloudApiTemplateDirectory } from '../../src/modules/templates/adapters/cloud-api-template-directory';
import { CloudApiTemplatePublisher } from '../../src/modules/templates/adapters/cloud-api-template-publisher';
import { PostgresSyncLeases } from '../../src/modules/templates/adapters/postgres-sync-leases';
import { PostgresTemplateStore } from '../../src/modules/templates/adapters/postgres-template-store';
import { SyncSignal } from '../../src/modules/templates/domain/sync-signal';
import { TemplateAuthoring } from '../../src/modules/templates/domain/template-authoring';
import { TemplateChanges } from '../../src/modules/templates/domain/template-changes';
import type { TemplateDraft } from '../../src/modules/templates/domain/template-draft';
import { TemplateSync } from '../../src/modules/templates/domain/template-sync';
import { TemplatesService } from '../../src/modules/templates/domain/templates.service';
import { callerOf } from './contact-book-api';

const BUSINESS_ACCOUNT = '204876543210002';
const TOKEN = 'sandbox-access-token';

/** A valid template. */
export const DRAFT: TemplateDraft = {
  ...{ name: 'parcel', languageCode: 'en_US', category: 'Utility', parameterFormat: 'Positional' },
  body: { text: 'Hello {{1}}, parcel {{2}} is on its way.', examples: ['Mira', 'PK-1'] },
};

/** How a write to the platform fails; `answer` replaces the platform's response. */
export type LineFault = 'none' | 'lose the answer' | 'lose the request' | { answer: object };

/** Writes templates over a connection to the sandbox that can fail, for a new account per test. */
export class TemplateAuthoringParts {
  fault: LineFault = 'none';
  accountId = uuidV7();
  /** The actor of the changes, a key of the account. */
  caller = callerOf(this.accountId);
  /** Whether no audit entry can be written. */
  auditFails = false;
  store!: PostgresTemplateStore;
  authoring!: TemplateAuthoring;
  senders!: SendersService;
  templates!: TemplatesService;
  templateSync!: TemplateSync;
  /** Announced changes of status, as `name before after`. */
  changes: string[] = [];
  /** Accounts whose list should be read. */
  wanted: string[] = [];
  private database!: Database;
  private sandbox!: RunningSandbox;
  private line!: Server;
  private client!: CloudApiClient;

  async open(database: Database): Promise<void> {
    this.database = database;
    this.sandbox = await startSandbox({ config: { autoApproveMs: -1 } });
    this.line = createServer((request, response) => void this.pass(request, response)).listen(0, '127.0.0.1');
    await new Promise((resolve) => this.line.once('listening', resolve));
    const { port } = this.line.address() as AddressInfo;
    this.client = new CloudApiClient({ baseUrl: `http://127.0.0.1:${port}`, version: 'v25.0', timeoutMs: 5_000 });
  }

  async close(): Promise<void> {
    await this.client?.close();
    this.line?.close();
    await this.sandbox?.close();
  }

  async begin(): Promise<void> {
    this.fault = 'none';
    this.auditFails = false;
    this.changes = [];
    this.wanted = [];
    await this.control('reset', {});
    await this.control('config', { autoApproveMs: -1 });
    const accountId = (this.accountId = uuidV7());
    this.caller = callerOf(accountId);
    await this.database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'a', 'Free')`, [accountId]);
    const sender = { id: 's', accountId, businessAccountId: BUSINESS_ACCOUNT, accessToken: TOKEN } as Sender;
    const accounts = { sendersOf: () => Promise.resolve([sender]), markTemplatesSynced: () => Promise.resolve() };
    const clock = new SystemClock();
    const senders = (this.senders = new SendersService(accounts as unknown as AccountStore, clock));
    const store = (this.store = new PostgresTemplateStore(this.database));
    const templates = (this.templates = new TemplatesService(store, senders, clock));
    const unitOfWork = new TypeOrmUnitOfWork(this.database);
    const changes = new TemplateChanges();
    changes.onStatusChanged((statusChanges) => {
      this.changes.push(...statusChanges.map(({ name, before, after }) => `${name} ${before} ${after}`));
      return Promise.resolve();
    });
    const signal = new SyncSignal();
    signal.onRequest((one) => this.wanted.push(one));
    const directory = new CloudApiTemplateDirectory(this.client);
    const leases = new PostgresSyncLeases(this.database);
    this.templateSync = new TemplateSync(
      ...([senders, directory, store, leases, templates, clock, unitOfWork, changes, signal] as const),
    );
    const audit = new AuditLogService(new PostgresAuditStore(this.database), clock);
    const record = audit.record.bind(audit);
    audit.record = (actor, action) =>
      this.auditFails ? Promise.reject(new Error('No audit entry.')) : record(actor, action);
    this.authoring = new TemplateAuthoring(
      ...([senders, new CloudApiTemplatePublisher(this.client), store, templates, this.templateSync] as const),
      ...([changes, signal, unitOfWork, audit, clock] as const),
    );
  }

  create(changed: Partial<TemplateDraft> = {}): ReturnType<TemplateAuthoring['create']> {
    return this.authoring.create(this.caller, { ...DRAFT, ...changed });
  }

  /** The recorded changes, oldest first: action, id of the template, changed fields. */
  async audited(): Promise<[string, string, string[]][]> {
    const rows = await this.database.rows<{ action: string; target_id: string; fields: string[] }>(
      'SELECT action, target_id, fields FROM audit_log WHERE account_id = $1 AND key_prefix = $2 ORDER BY id',
      [this.accountId, this.caller.keyPrefix],
    );
    return rows.map(({ action, target_id: id, fields }) => [action, id, fields]);
  }

  sync(): ReturnType<TemplateSync['sync']> {
    return this.templateSync.sync(this.accountId);
  }

  /** Configures the sandbox. */
  async control(path: string, body: object): Promise<void> {
    const answer = await fetch(`${this.sandbox.url}/sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) });
    expect(await answer.text()).not.toContain('"error"');
  }

  /** Sets the status of a template, and reports it. */
  async review(name: string, status = 'APPROVED'): Promise<void> {
    await this.control('templates', { name, status });
    await this.sync();
    this.changes = [];
  }

  /** The languages of a template name on the platform. */
  async onPlatform(name: string): Promise<Record<string, unknown>[]> {
    const fields = 'name,language,status,category,parameter_format,components,message_send_ttl_seconds';
    const path = `/v25.0/${BUSINESS_ACCOUNT}/message_templates?limit=100&name=${name}&fields=${fields}`;
    const answer = await fetch(this.sandbox.url + path, { headers: { authorization: `Bearer ${TOKEN}` } });
    const { data } = (await answer.json()) as { data: Record<string, unknown>[] };
    // The platform's filter matches parts of names.
    return data.filter((template) => template.name === name);
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const fault = request.method === 'GET' ? 'none' : this.fault;
    const json = { 'content-type': 'application/json' };
    if (typeof fault === 'object') return void response.writeHead(400, json).end(JSON.stringify(fault.answer));
    if (fault === 'lose the request') return void request.socket.destroy();
    const answer = await fetch(this.sandbox.url + request.url, {
      method: request.method,
      headers: { authorization: request.headers.authorization!, ...json },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const text = await answer.text();
    if (fault === 'lose the answer') request.socket.destroy();
    else response.writeHead(answer.status, json).end(text);
  }
}
