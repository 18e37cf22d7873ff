import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { Page, PageRequest } from '../../../kernel/page';
import { RecentCache } from './recent-cache';
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

interface KnownRevision {
  readAt: number;
  template: Promise<SendableTemplate>;
}

const CURRENT_FOR_MS = 1000;
/** The contents of a revision never change, but the platform can move its template to another category. */
const REVISION_FOR_MS = 60_000;
const NAMES_KEPT = 1000;
const REVISIONS_KEPT = 1000;

/** Reads the templates of accounts, for lists and for sends. */
@Injectable()
export class TemplatesService {
  private readonly current = new RecentCache<CurrentTemplates>(NAMES_KEPT);
  private readonly revisions = new RecentCache<KnownRevision>(REVISIONS_KEPT);

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
    if (!template) throw await this.missing(accountId, name, languageCode, languages);
    if (template.status !== 'Approved') throw new TemplateNotApprovedError(name, languageCode, template.status);
    const { beyondValues } = template.components;
    if (beyondValues.length > 0) throw new TemplateNotSupportedError(name, beyondValues);
    const known = await this.remember(template.revisionId, () => Promise.resolve(template));
    if (known.category === template.category) return known;
    // The platform can change a category without new contents.
    const moved = Promise.resolve(new SendableTemplate(template));
    this.revisions.set(template.revisionId, { readAt: this.clock.monotonic(), template: moved });
    return moved;
  }

  /** The current category of a revision's template; throws TemplateNotFoundError. */
  async categoryOf(revisionId: string): Promise<TemplateCategory> {
    const template = await this.store.byRevision(revisionId);
    if (!template) throw new TemplateNotFoundError();
    return template.category;
  }

  /** The template with the contents of a revision and its category of the last minute; throws TemplateNotFoundError. */
  revision(revisionId: string): Promise<SendableTemplate> {
    return this.remember(revisionId, () => this.store.byRevision(revisionId));
  }

  /** Clears the cache of this process after a change. */
  forgetCurrent(): void {
    this.current.clear();
  }

  private async missing(accountId: string, name: string, languageCode: string, languages: Template[]): Promise<Error> {
    const available = languages.filter(({ status }) => status !== 'Deleted').map((language) => language.languageCode);
    if (available.length > 0) return new TemplateLanguageNotFoundError(name, languageCode, available.sort());
    const meant = plain(name);
    const alike = meant === name ? [] : await this.store.byName(accountId, meant);
    return new TemplateNotFoundError(name, alike.some(({ status }) => status !== 'Deleted') ? meant : undefined);
  }

  private async languagesOf(accountId: string, name: string): Promise<Template[]> {
    const key = `${accountId} ${name}`;
    const now = this.clock.monotonic();
    let known = this.current.get(key);
    if (!known || now - known.readAt >= CURRENT_FOR_MS) {
      known = { readAt: now, languages: this.store.byName(accountId, name) };
      this.current.set(key, known);
    }
    try {
      const languages = await known.languages;
      // Unknown names are not cached: they waste memory, and the next sync may add them.
      if (languages.length === 0) this.current.drop(key, known);
      return languages;
    } catch (error) {
      this.current.drop(key, known);
      throw error;
    }
  }

  private async remember(revisionId: string, read: () => Promise<Template | null>): Promise<SendableTemplate> {
    const now = this.clock.monotonic();
    let known = this.revisions.get(revisionId);
    if (!known || now - known.readAt >= REVISION_FOR_MS) {
      known = { readAt: now, template: read().then(sendableOf) };
      this.revisions.set(revisionId, known);
    }
    try {
      return await known.template;
    } catch (error) {
      this.revisions.drop(revisionId, known);
      throw error;
    }
  }
}

function sendableOf(template: Template | null): SendableTemplate {
  if (!template) throw new TemplateNotFoundError();
  return new SendableTemplate(template);
}

/** The name that people mean: names on the platform have small letters, and underscores for spaces. */
function plain(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/g, '_');
}
