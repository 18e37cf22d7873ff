import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { DomainError } from '../../../kernel/domain-error';
import type { Page, PageRequest } from '../../../kernel/page';
import { RecentValues } from '../../accounts/domain/recent-values';
import { SendersService } from '../../accounts/domain/senders.service';
import { errorOfOffer } from './extras-rules';
import type { FilledTemplate, UnfilledTemplate } from './filled-template';
import type { TemplateExtras } from './template-extras';
import { previewOf, type TemplatePreview } from './template-preview';
import { SendableTemplate } from './sendable-template';
import type { Template, TemplateCategory, TemplateFilter, TemplateOwner } from './template';
import { TemplateStore } from './template-store.port';
import {
  TemplateLanguageNotFoundError,
  TemplateNotApprovedError,
  TemplateNotFoundError,
  TemplateNotSupportedError,
  TemplateOfOtherSenderError,
} from './templates.errors';

/** Why a recorded message cannot be sent: a stable code, and a message for people. */
export type RefusedFilling = Pick<DomainError, 'code' | 'message'>;

const CURRENT_TTL_MS = 1000;
/** The contents of a revision never change, but the platform can move its template to another category. */
const REVISION_TTL_MS = 60_000;
const MAX_NAMES = 1000;
const MAX_REVISIONS = 1000;

/** Reads the templates of accounts, for lists and for sends. */
@Injectable()
export class TemplatesService {
  /** By account and name: its languages. */
  private readonly current: RecentValues<Template[]>;
  private readonly revisions: RecentValues<SendableTemplate>;

  constructor(
    private readonly store: TemplateStore,
    private readonly senders: SendersService,
    private readonly clock: Clock,
  ) {
    this.current = new RecentValues(clock, CURRENT_TTL_MS, MAX_NAMES);
    this.revisions = new RecentValues(clock, REVISION_TTL_MS, MAX_REVISIONS);
  }

  /** One page of the account's matching templates, newest first. */
  list(accountId: string, filter: TemplateFilter, page: PageRequest): Promise<Page<Template>> {
    return this.store.page(accountId, filter, page);
  }

  /** One template; throws TemplateNotFoundError. */
  async get(accountId: string, templateId: string): Promise<Template> {
    const template = await this.store.byId(accountId, templateId);
    if (!template) throw new TemplateNotFoundError();
    return template;
  }

  /**
   * The sendable template of a sender's business account, cached for at most a second. Throws TemplateNotFoundError, TemplateLanguageNotFoundError,
   * TemplateOfOtherSenderError, TemplateNotApprovedError or TemplateNotSupportedError.
   */
  async sendable(sender: TemplateOwner, name: string, languageCode: string): Promise<SendableTemplate> {
    const { accountId, businessAccountId } = sender;
    const key = currentKey(accountId, name);
    const everywhere = await this.current.get(key, () => this.store.byName(accountId, name));
    // Unknown names are not cached: they waste memory, and the next sync may add them.
    if (everywhere.length === 0) this.current.forget(key);
    const languages = everywhere.filter((one) => one.businessAccountId === businessAccountId);
    const template = languages.find((language) => language.languageCode === languageCode);
    if (!template) {
      // Not of a deleted sender.
      const others = new Set((await this.senders.allOf(accountId)).map((one) => one.businessAccountId));
      const isElsewhere = everywhere.some(
        (one) => one.languageCode === languageCode && one.status !== 'Deleted' && others.has(one.businessAccountId),
      );
      if (isElsewhere) throw new TemplateOfOtherSenderError(name, languageCode);
      throw await this.notFoundError(sender, name, languageCode, languages);
    }
    if (template.status !== 'Approved') throw new TemplateNotApprovedError(name, languageCode, template.status);
    const { unsupported } = template.components;
    if (unsupported.length > 0) throw new TemplateNotSupportedError(name, unsupported);
    const read = () => Promise.resolve(new SendableTemplate(template));
    const cached = await this.revisions.get(template.revisionId, read);
    if (cached.category === template.category) return cached;
    // The platform can change a category without new contents.
    this.revisions.forget(template.revisionId);
    return this.revisions.get(template.revisionId, read);
  }

  /** Fills in a template in any status and lists all reasons why a send would be refused; throws TemplateNotFoundError. */
  async preview(
    accountId: string,
    templateId: string,
    values: readonly string[],
    extras: TemplateExtras | null,
  ): Promise<TemplatePreview> {
    return previewOf(await this.get(accountId, templateId), values, extras, this.clock.now());
  }

  /** The current category of a revision's template; throws TemplateNotFoundError. */
  async categoryOf(revisionId: string): Promise<TemplateCategory> {
    return (await this.ofRevision(revisionId)).category;
  }

  /** The template with the contents of a revision; its category may be a minute old. Throws TemplateNotFoundError. */
  revision(revisionId: string): Promise<SendableTemplate> {
    return this.revisions.get(revisionId, async () => new SendableTemplate(await this.ofRevision(revisionId)));
  }

  /**
   * Fills in a recorded message, or returns why it cannot be sent: its values may predate a check, the platform may have changed the
   * contents, or its offer may have ended.
   */
  async filled(message: UnfilledTemplate): Promise<{ template: FilledTemplate } | { error: RefusedFilling }> {
    const { revisionId, parameters: values, extras, messageId } = message;
    try {
      const template = await this.revision(revisionId);
      const error = template.errorOfRecipient(values) ?? errorOfOffer(extras, this.clock.now());
      return error ? { error } : { template: template.fill({ values, extras, messageId }) };
    } catch (error) {
      if (error instanceof DomainError) return { error };
      throw error;
    }
  }

  /** Clears the cache of this process after a change of templates of the account. */
  forgetCurrent(accountId: string): void {
    this.current.forgetFrom(currentKey(accountId, ''));
  }

  private async ofRevision(revisionId: string): Promise<Template> {
    const template = await this.store.byRevision(revisionId);
    if (!template) throw new TemplateNotFoundError();
    return template;
  }

  private async notFoundError(
    { accountId, businessAccountId }: TemplateOwner,
    name: string,
    languageCode: string,
    languages: Template[],
  ): Promise<Error> {
    const available = languages.filter(({ status }) => status !== 'Deleted').map((language) => language.languageCode);
    if (available.length > 0) return new TemplateLanguageNotFoundError(name, languageCode, available.sort());
    const normalised = normaliseName(name);
    const suggestion = await this.store.nearestName({ accountId, businessAccountId }, normalised);
    return new TemplateNotFoundError(name, { suggestion, isSpelling: suggestion !== normalised });
  }
}

function currentKey(accountId: string, name: string): string {
  return `${accountId} ${name}`;
}

/** Names on the platform have lower case letters, and underscores for spaces. */
function normaliseName(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/g, '_');
}
