import { Injectable } from '@nestjs/common';
import type { Template, TemplateStatus } from './template';

/** A template that stands elsewhere than before. */
export interface TemplateStatusChange {
  accountId: string;
  templateId: string;
  name: string;
  languageCode: string;
  before: TemplateStatus;
  after: TemplateStatus;
}

/** The change of status between a template as it was and what it is now. */
export function statusChange(was: Template, { status }: Pick<Template, 'status'>): TemplateStatusChange {
  const { accountId, id: templateId, name, languageCode } = was;
  return { accountId, templateId, name, languageCode, before: was.status, after: status };
}

/** Tells everybody who has to know that templates have changed their status, whoever found it out. */
@Injectable()
export class TemplateChanges {
  private readonly handlers: ((changes: readonly TemplateStatusChange[]) => Promise<void>)[] = [];

  /** Calls `handler` inside the unit of work that writes the changes: what it writes commits with them. */
  onStatusChanged(handler: (changes: readonly TemplateStatusChange[]) => Promise<void>): void {
    this.handlers.push(handler);
  }

  /** Call it in the unit of work that writes the changes. */
  async announce(changes: readonly TemplateStatusChange[]): Promise<void> {
    if (changes.length === 0) return;
    for (const handler of this.handlers) await handler(changes);
  }
}
