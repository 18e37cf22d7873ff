import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { Page, PageRequest } from '../../../kernel/page';
import { RecentCache } from './recent-cache';
import type { TemplateExtras } from './template-extras';
import { previewOf, type TemplatePreview } from './template-preview';
import { SendableTemplate } from './sendable-template';
import type { Template, TemplateCategory, TemplateFilter } from './template';
import { TemplateStore } from './template-store.port';
import {
  TemplateLanguageNotFoundError,
  TemplateNotApprovedError,
  TemplateNotFoundError,
  TemplateNotSupportedError,
} from './templates.errors';

interface CurrentTemplates {
  readAt: number;
  languages: Promise<Template[]>;
}

interface CachedRevision {
  readAt: number;
  template: Promise<SendableTemplate>;
}

const CURRENT_TTL_MS = 1000;
/** The contents of a revision never change, but the platform can move its template to another category. */
const REVISION_TTL_MS = 60_000;
const MAX_NAMES = 1000;
const MAX_REVISIONS = 1000;

/** Reads the templates of accounts, for lists and for sends. */
@Injectable()
export class TemplatesService {
  private readonly current = new RecentCache<CurrentTemplates>(MAX_NAMES);
  private readonly revisions = new RecentCache<CachedRevision>(MAX_REVISIONS);

  constructor(
    private readonly store: TemplateStore,
    private readonly clock: Clock,
  ) {}

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
   * The sendable template, cached for at most a second. Throws TemplateNotFoundError,
   * TemplateLanguageNotFoundError, TemplateNotApprovedError or TemplateNotSupportedError.
   */
  async sendable(accountId: string, name: string, languageCode: string): Promise<SendableTemplate> {
    const languages = await this.languagesOf(accountId, name);
    const template = languages.find((language) => language.languageCode === languageCode);
    if (!template) throw await this.notFoundError(accountId, name, languageCode, languages);
    if (template.status !== 'Approved') throw new TemplateNotApprovedError(name, languageCode, template.status);
    const { unsupported } = template.components;
    if (unsupported.length > 0) throw new TemplateNotSupportedError(name, unsupported);
    const cached = await this.cachedRevision(template.revisionId, () => Promise.resolve(template));
    if (cached.category === template.category) return cached;
    // The platform can change a category without new contents.
    const recategorised = Promise.resolve(new SendableTemplate(template));
    this.revisions.set(template.revisionId, { readAt: this.clock.monotonic(), template: recategorised });
    return recategorised;
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
    const template = await this.store.byRevision(revisionId);
    if (!template) throw new TemplateNotFoundError();
    return template.category;
  }

  /** The template with the contents of a revision; its category may be a minute old. Throws TemplateNotFoundError. */
  revision(revisionId: string): Promise<SendableTemplate> {
    return this.cachedRevision(revisionId, () => this.store.byRevision(revisionId));
  }

  /** Clears the cache of this process after a change. */
  forgetCurrent(): void {
    this.current.clear();
  }

  private async notFoundError(
    accountId: string,
    name: string,
    languageCode: string,
    languages: Template[],
  ): Promise<Error> {
    const available = languages.filter(({ status }) => status !== 'Deleted').map((language) => language.languageCode);
    if (available.length > 0) return new TemplateLanguageNotFoundError(name, languageCode, available.sort());
    const suggestion = normaliseName(name);
    const candidates = suggestion === name ? [] : await this.store.byName(accountId, suggestion);
    return new TemplateNotFoundError(
      name,
      candidates.some(({ status }) => status !== 'Deleted') ? suggestion : undefined,
    );
  }

  private async languagesOf(accountId: string, name: string): Promise<Template[]> {
    const key = `${accountId} ${name}`;
    const now = this.clock.monotonic();
    let cached = this.current.get(key);
    if (!cached || now - cached.readAt >= CURRENT_TTL_MS) {
      cached = { readAt: now, languages: this.store.byName(accountId, name) };
      this.current.set(key, cached);
    }
    try {
      const languages = await cached.languages;
      // Unknown names are not cached: they waste memory, and the next sync may add them.
      if (languages.length === 0) this.current.drop(key, cached);
      return languages;
    } catch (error) {
      this.current.drop(key, cached);
      throw error;
    }
  }

  private async cachedRevision(revisionId: string, read: () => Promise<Template | null>): Promise<SendableTemplate> {
    const now = this.clock.monotonic();
    let cached = this.revisions.get(revisionId);
    if (!cached || now - cached.readAt >= REVISION_TTL_MS) {
      cached = { readAt: now, template: read().then(sendableOf) };
      this.revisions.set(revisionId, cached);
    }
    try {
      return await cached.template;
    } catch (error) {
      this.revisions.drop(revisionId, cached);
      throw error;
    }
  }
}

function sendableOf(template: Template | null): SendableTemplate {
  if (!template) throw new TemplateNotFoundError();
  return new SendableTemplate(template);
}

/** Names on the platform have lower case letters, and underscores for spaces. */
function normaliseName(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/g, '_');
}
