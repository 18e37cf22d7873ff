import { nearestOf } from '../../src/infra/nearest-name';
import type { Page, PageRequest } from '../../src/kernel/page';
import { uuidV7 } from '../../src/kernel/uuid';
import type { Clock } from '../../src/kernel/clock';
import type { SendersService } from '../../src/modules/accounts/domain/senders.service';
import { SyncSignal } from '../../src/modules/templates/domain/sync-signal';
import { TemplateChanges } from '../../src/modules/templates/domain/template-changes';
import type { TemplateDirectory } from '../../src/modules/templates/domain/template-directory.port';
import { TemplateSync } from '../../src/modules/templates/domain/template-sync';
import type { TemplatesService } from '../../src/modules/templates/domain/templates.service';
import type { SyncPlan } from '../../src/modules/templates/domain/sync-plan';
import { SyncLeases } from '../../src/modules/templates/domain/sync-leases.port';
import type {
  PlatformTemplate,
  Template,
  TemplateFilter,
  TemplateOwner,
} from '../../src/modules/templates/domain/template';
import type { TemplateComponents } from '../../src/modules/templates/domain/template-components';
import type { TemplateReport } from '../../src/modules/templates/domain/template-report';
import { TemplateStore } from '../../src/modules/templates/domain/template-store.port';
import { ImmediateUnitOfWork } from './immediate-unit-of-work';

/** The business account of the templates in memory, unless another is given. */
export const BUSINESS_ACCOUNT = '2';

/** A template in the platform's list: by default approved, German, with one value. */
export function platformTemplate(name: string, changes: Partial<PlatformTemplate> = {}): PlatformTemplate {
  return {
    platformTemplateId: `p-${name}`,
    name,
    languageCode: 'de',
    category: 'Utility',
    status: 'Approved',
    qualityRating: null,
    rejectionReason: null,
    source: 'Authored',
    components: {
      parameterFormat: 'Positional',
      headerFormat: 'None',
      headerText: null,
      bodyText: 'Hello {{1}}',
      footerText: null,
      buttons: [],
      offer: null,
      cards: [],
      unsupported: [],
    },
    ...changes,
  };
}

/** Leases that do not expire; `lose` simulates expiry. */
export class SyncLeasesInMemory extends SyncLeases {
  readonly owners = new Map<string, string>();

  acquire(accountId: string, owner: string): Promise<boolean> {
    if (this.owners.has(accountId)) return Promise.resolve(false);
    this.owners.set(accountId, owner);
    return Promise.resolve(true);
  }

  renew(accountId: string, owner: string): Promise<boolean> {
    return Promise.resolve(this.owners.get(accountId) === owner);
  }

  release(accountId: string, owner: string): Promise<void> {
    if (this.owners.get(accountId) === owner) this.owners.delete(accountId);
    return Promise.resolve();
  }

  lose(accountId: string): void {
    this.owners.delete(accountId);
  }
}

/** The parts of a sync; omitted ones are created. */
export interface SyncParts {
  senders: SendersService;
  directory: TemplateDirectory;
  store: TemplatesInMemory;
  leases: SyncLeasesInMemory;
  templates: TemplatesService;
  clock: Clock;
  changes?: TemplateChanges;
  syncSignal?: SyncSignal;
}

/** A sync without transactions. */
export function templateSyncWith(parts: SyncParts): TemplateSync {
  const { senders, directory, store, leases, templates, clock } = parts;
  const { changes = new TemplateChanges(), syncSignal = new SyncSignal() } = parts;
  const unitOfWork = new ImmediateUnitOfWork();
  return new TemplateSync(senders, directory, store, leases, templates, clock, unitOfWork, changes, syncSignal);
}

/** Templates and revisions in memory; counts reads, and fails on demand. */
export class TemplatesInMemory extends TemplateStore {
  reads = 0;
  /** Reads of all templates of an account. */
  wholeReads = 0;
  failure: Error | null = null;
  private readonly templates = new Map<string, Template>();
  private readonly revisions = new Map<string, Template>();

  constructor(private readonly leases: SyncLeasesInMemory = new SyncLeasesInMemory()) {
    super();
  }

  /** Adds or updates a template by name and language; by default with new contents. */
  put(
    accountId: string,
    template: PlatformTemplate,
    revisionId = uuidV7(),
    businessAccountId = BUSINESS_ACCOUNT,
  ): Template {
    const at = new Date(0);
    const owner = businessAccountId === BUSINESS_ACCOUNT ? '' : `-${businessAccountId}`;
    const id = `${template.name}-${template.languageCode}${owner}`;
    const ids = { id, accountId, businessAccountId, revisionId };
    return this.keep({ ...template, ...ids, statusAt: at, createdAt: at, updatedAt: at, lastSyncedAt: null });
  }

  async page(accountId: string, filter: TemplateFilter, { page, pageSize }: PageRequest): Promise<Page<Template>> {
    const matching = (await this.rows(accountId)).filter(({ status }) => !filter.status || status === filter.status);
    const items = matching.reverse().slice((page - 1) * pageSize, page * pageSize);
    return { items, page, pageSize, totalCount: matching.length };
  }

  async byId(accountId: string, templateId: string): Promise<Template | null> {
    return (await this.rows(accountId)).find(({ id }) => id === templateId) ?? null;
  }

  async byName(accountId: string, name: string): Promise<Template[]> {
    return (await this.rows(accountId)).filter((template) => template.name === name);
  }

  async nearestName({ accountId, businessAccountId }: TemplateOwner, name: string): Promise<string | null> {
    const names = (await this.rows(accountId))
      .filter((template) => template.businessAccountId === businessAccountId && template.status !== 'Deleted')
      .map((template) => template.name);
    return nearestOf(name, names) ?? null;
  }

  async withText(
    { accountId, businessAccountId }: TemplateOwner,
    language: string,
    { bodyText, footerText }: Pick<TemplateComponents, 'bodyText' | 'footerText'>,
  ): Promise<Template[]> {
    return (await this.rows(accountId)).filter(
      ({ languageCode, status, components, ...template }) =>
        template.businessAccountId === businessAccountId &&
        languageCode === language &&
        status !== 'Deleted' &&
        components.bodyText === bodyText &&
        components.footerText === footerText,
    );
  }

  byRevision(revisionId: string): Promise<Template | null> {
    return this.read(() => this.revisions.get(revisionId) ?? null);
  }

  all(accountId: string): Promise<Template[]> {
    this.wholeReads++;
    return this.rows(accountId);
  }

  private rows(accountId: string): Promise<Template[]> {
    return this.read(() => [...this.templates.values()].filter((template) => template.accountId === accountId));
  }

  record(accountId: string, owner: string, plan: SyncPlan): Promise<string[] | null> {
    if (this.leases.owners.get(accountId) !== owner) return Promise.resolve(null);
    const kept = (template: Template) => (this.templates.get(template.id)?.updatedAt ?? plan.readFrom) > plan.readFrom;
    const seen = [...plan.updated, ...plan.removed, ...plan.unchanged];
    const ids = seen.filter(kept).map(({ id }) => id);
    [...plan.added, ...plan.updated, ...plan.removed]
      .filter(({ id }) => !ids.includes(id))
      .forEach((one) => this.keep(one));
    return Promise.resolve(ids);
  }

  lock(
    { accountId, businessAccountId }: TemplateOwner,
    identities: readonly Pick<TemplateReport, 'platformTemplateId' | 'name'>[],
  ): Promise<Template[]> {
    return this.read(() =>
      [...this.templates.values()].filter(
        (template) =>
          template.accountId === accountId &&
          template.businessAccountId === businessAccountId &&
          identities.some(
            ({ name, platformTemplateId }) =>
              name === template.name ||
              (platformTemplateId !== null && platformTemplateId === template.platformTemplateId),
          ),
      ),
    );
  }

  save(template: Template): Promise<void> {
    const isTaken = [...this.templates.values()].some(
      ({ id, accountId, businessAccountId, name, languageCode }) =>
        id !== template.id &&
        accountId === template.accountId &&
        businessAccountId === template.businessAccountId &&
        name === template.name &&
        languageCode === template.languageCode,
    );
    if (!isTaken) this.keep(template);
    return Promise.resolve();
  }

  saveState(templates: readonly Template[]): Promise<void> {
    templates.forEach((template) => this.keep(template));
    return Promise.resolve();
  }

  /** Adds exactly this template. */
  keep(template: Template): Template {
    this.templates.set(template.id, template);
    this.revisions.set(template.revisionId, template);
    return template;
  }

  private read<T>(answer: () => T): Promise<T> {
    this.reads++;
    return this.failure ? Promise.reject(this.failure) : Promise.resolve(answer());
  }
}
