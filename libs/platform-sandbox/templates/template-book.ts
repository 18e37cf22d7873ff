import { shapeOf } from './shape';
import { newTemplate, type StoredTemplate, type Template, type TemplateDraft, type TemplateStatus } from './template';

const FIRST_ID = 771_000_000_000_001n;
// Beyond 2^53 and odd, to detect clients that read ids as floating-point numbers.
const FIRST_LARGE_ID = 9_007_199_254_740_993n;
const NAME_BLOCKED_MS = 30 * 86_400_000;

/** Generates template ids, optionally beyond the precision of floating-point numbers. */
export class TemplateIds {
  private count = 0;

  constructor(private readonly large: () => boolean) {}

  /** The next id and the position of its template in the order of creation. */
  next(): { id: string; order: number } {
    const step = BigInt(this.count);
    this.count += 1;
    const id = this.large() ? FIRST_LARGE_ID + 2n * step : FIRST_ID + step;
    return { id: id.toString(), order: this.count };
  }

  /** Continues behind this position. */
  continueAfter(order: number): void {
    this.count = Math.max(this.count, order);
  }

  /** Restarts numbering. */
  clear(): void {
    this.count = 0;
  }
}

/** The templates of one business account; a name and a language together are unique. */
export class TemplateBook {
  private readonly byId = new Map<string, Template>();
  private readonly byName = new Map<string, Map<string, Template>>();
  private readonly blocked = new Map<string, number>();

  constructor(private readonly ids: TemplateIds) {}

  /** Adds a template; the caller must check that name and language are free. */
  add(draft: TemplateDraft, status: TemplateStatus): Template {
    const { id, order } = this.ids.next();
    return this.keep(newTemplate(draft, id, order, status));
  }

  /** Adds a template that was stored. */
  restore(stored: StoredTemplate): void {
    const shape = shapeOf(stored.components, stored.category, stored.subCategory);
    this.keep({ ...stored, shape });
    this.ids.continueAfter(stored.order);
  }

  private keep(template: Template): Template {
    this.byId.set(template.id, template);
    const languages = this.byName.get(template.name) ?? new Map<string, Template>();
    languages.set(template.language, template);
    this.byName.set(template.name, languages);
    return template;
  }

  /** The template with this name and exactly this language. */
  find(name: string, language: string): Template | undefined {
    return this.byName.get(name)?.get(language);
  }

  /** The template with this id. */
  get(id: string): Template | undefined {
    return this.byId.get(id);
  }

  /** The templates of a name in all languages. */
  named(name: string): Template[] {
    return [...(this.byName.get(name)?.values() ?? [])];
  }

  /** All templates, newest first. */
  all(): Template[] {
    return [...this.byId.values()].sort((a, b) => b.order - a.order);
  }

  /** Removes a template; the name of an approved one is blocked for 30 days. */
  remove(template: Template): void {
    if (template.status === 'APPROVED') {
      this.blocked.set(`${template.name} ${template.language}`, Date.now() + NAME_BLOCKED_MS);
    }
    this.byId.delete(template.id);
    const languages = this.byName.get(template.name);
    languages?.delete(template.language);
    if (languages?.size === 0) this.byName.delete(template.name);
  }

  /** Whether this name and language are blocked after a deletion. */
  isBlocked(name: string, language: string): boolean {
    return (this.blocked.get(`${name} ${language}`) ?? 0) > Date.now();
  }
}
