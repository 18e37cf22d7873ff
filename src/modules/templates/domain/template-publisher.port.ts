import type { Sender } from '../../accounts/domain/sender';
import type { PlatformTemplate, TemplateCategory, TemplateStatus } from './template';
import type { TemplateDraft } from './template-draft';

/** What the platform says of a template that it took. */
export interface SubmittedTemplate {
  platformTemplateId: string;
  status: TemplateStatus;
  /** It may be another one than was asked for. */
  category: TemplateCategory;
}

/** Why the platform took something not: `problem` is a stable code, `message` what the platform says. */
export interface PlatformRefusal {
  problem: string;
  message: string;
  platformCode: number;
  platformSubcode: number | null;
}

/**
 * How a call ended. `throttled`: too many calls of this kind, nothing was done; `not_reached`: nothing left; `unanswered`: it
 * may have been done, nobody knows.
 */
export type PublishAnswer<Done> =
  | { kind: 'done'; result: Done }
  | { kind: 'refused'; refusal: PlatformRefusal }
  | { kind: 'throttled' }
  | { kind: 'not_reached' }
  | { kind: 'unanswered' };

/** What of a template is to change; `draft` has the contents in whole, where they change. */
export interface SubmittedEdit {
  category?: TemplateCategory;
  messageTtlSeconds?: number;
  draft?: TemplateDraft;
}

/** Writes templates on the platform. No call is ever repeated by itself. */
export abstract class TemplatePublisher {
  /** Creates a template and submits it for review. */
  abstract create(sender: Sender, draft: TemplateDraft): Promise<PublishAnswer<SubmittedTemplate>>;
  /** Changes a template; new contents and a new category go through review again. */
  abstract edit(sender: Sender, platformTemplateId: string, edit: SubmittedEdit): Promise<PublishAnswer<null>>;
  /** Deletes one language of a template, never the others of its name. */
  abstract remove(sender: Sender, name: string, platformTemplateId: string): Promise<PublishAnswer<null>>;
  /** The template as the platform holds it now, or null where that cannot be known. */
  abstract read(sender: Sender, platformTemplateId: string): Promise<PlatformTemplate | null>;
}
