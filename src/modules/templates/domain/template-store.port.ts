import type { Page, PageRequest } from '../../../kernel/page';
import type { SyncPlan } from './sync-plan';
import type { Template, TemplateFilter } from './template';
import type { TemplateReport } from './template-report';

/** Where the templates of all accounts are kept, with every revision that was ever sent. */
export abstract class TemplateStore {
  /** One page of an account's templates, newest first. */
  abstract page(accountId: string, filter: TemplateFilter, page: PageRequest): Promise<Page<Template>>;
  /** The template with this id, or null if the account has none. */
  abstract byId(accountId: string, templateId: string): Promise<Template | null>;
  /** All languages of a template name. */
  abstract byName(accountId: string, name: string): Promise<Template[]>;
  /** The template with the contents of this revision, which need not be the current ones; null if there is none. */
  abstract byRevision(revisionId: string): Promise<Template | null>;
  /** Every template of an account, deleted ones too. */
  abstract all(accountId: string): Promise<Template[]>;
  /**
   * Writes what a sync found, all or nothing, and only while `owner` still holds the account's lease: null, and nothing
   * written, when it does not. Templates that changed or appeared here since the reading began stay as they are: their ids
   * in the plan.
   */
  abstract record(accountId: string, owner: string, plan: SyncPlan): Promise<string[] | null>;
  /** Locks the templates that reports may speak of, by name and language or by the platform's id. */
  abstract lock(
    accountId: string,
    identities: readonly Pick<TemplateReport, 'platformTemplateId' | 'name' | 'languageCode'>[],
  ): Promise<Template[]>;
  /**
   * Writes a whole template with its revision: a locked one, or a new one, unless one of that name and language has appeared
   * meanwhile, which then stays.
   */
  abstract save(template: Template): Promise<void>;
  /** Writes status, quality, category and their times of locked templates. */
  abstract saveState(templates: readonly Template[]): Promise<void>;
}
