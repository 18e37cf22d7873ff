import { Injectable } from '@nestjs/common';
import type { Template, TemplateStatus } from './template';

/** A change of a template's status. */
export interface TemplateStatusChange {
  accountId: string;
  templateId: string;
  name: string;
  languageCode: string;
  before: TemplateStatus;
  after: TemplateStatus;
}

/** The change between two states of a template. */
export function statusChange(before: Template, { status }: Pick<Template, 'status'>): TemplateStatusChange {
  const { accountId, id: templateId, name, languageCode } = before;
  return { accountId, templateId, name, languageCode, before: before.status, after: status };
}

/** Announces status changes of templates, whatever their source. */
@Injectable()
export class TemplateChanges {
  private readonly handlers: ((changes: readonly TemplateStatusChange[]) => Promise<void>)[] = [];

  /** Calls `handler` within the unit of work of the changes, so that its writes commit with them. */
  onStatusChanged(handler: (changes: readonly TemplateStatusChange[]) => Promise<void>): void {
    this.handlers.push(handler);
  }

  /** Must be called within the unit of work of the changes. */
  async announce(changes: readonly TemplateStatusChange[]): Promise<void> {
    if (changes.length === 0) return;
    for (const handler of this.handlers) await handler(changes);
  }
}
