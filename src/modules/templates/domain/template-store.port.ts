import type { Page, PageRequest } from '../../../kernel/page';
import type { SyncPlan } from './sync-plan';
import type { Template, TemplateFilter, TemplateOwner } from './template';
import type { TemplateComponents } from './template-components';
import type { TemplateReport } from './template-report';

/** Stores the templates of all accounts, with every revision. */
export abstract class TemplateStore {
  /** One page of an account's templates, newest first. */
  abstract page(accountId: string, filter: TemplateFilter, page: PageRequest): Promise<Page<Template>>;
  /** The template with this id; null if the account has none. */
  abstract byId(accountId: string, templateId: string): Promise<Template | null>;
  /** All languages of a template name, in every business account of the account. */
  abstract byName(accountId: string, name: string): Promise<Template[]>;
  /** The name closest to a misspelt one among the templates of a business account, without deleted ones; null if none is close. */
  abstract nearestName(owner: TemplateOwner, name: string): Promise<string | null>;
  /** The templates of a business account in this language with the same text, without deleted ones. */
  abstract withText(
    owner: TemplateOwner,
    languageCode: string,
    text: Pick<TemplateComponents, 'bodyText' | 'footerText'>,
  ): Promise<Template[]>;
  /** The template with the contents of this revision, current or not; null if there is none. */
  abstract byRevision(revisionId: string): Promise<Template | null>;
  /** All templates of an account, including deleted ones. */
  abstract all(accountId: string): Promise<Template[]>;
  /**
   * Writes the plan of a sync atomically, and only while `owner` has the account's lease: otherwise returns null and writes
   * nothing. Templates that changed or were added here since the reading began are not overwritten; returns their
   * ids in the plan.
   */
  abstract record(accountId: string, owner: string, plan: SyncPlan): Promise<string[] | null>;
  /** Locks the templates of a business account that reports may concern, by name and language or by the platform's id. */
  abstract lock(
    owner: TemplateOwner,
    identities: readonly Pick<TemplateReport, 'platformTemplateId' | 'name' | 'languageCode'>[],
  ): Promise<Template[]>;
  /**
   * Writes a template with its revision: a locked one, or a new one, unless one with its name and language was added
   * meanwhile.
   */
  abstract save(template: Template): Promise<void>;
  /** Writes status, quality, category and their times of locked templates. */
  abstract saveState(templates: readonly Template[]): Promise<void>;
}
