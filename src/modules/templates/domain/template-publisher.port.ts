import type { Sender } from '../../accounts/domain/sender';
import type { PlatformTemplate, TemplateCategory, TemplateStatus } from './template';
import type { TemplateDraft } from './template-draft';

/** The platform's data of an accepted template. */
export interface SubmittedTemplate {
  platformTemplateId: string;
  status: TemplateStatus;
  /** May differ from the requested one. */
  category: TemplateCategory;
}

/** Why the platform refused a request: `problem` is a stable code, `message` the platform's text. */
export interface PlatformRefusal {
  problem: string;
  message: string;
  platformCode: number;
  platformSubcode: number | null;
}

/**
 * The result of a call. `throttled`: too many calls, nothing was changed; `not_reached`: no request was sent; `unanswered`: it is
 * unknown whether the change was made.
 */
export type PublishAnswer<Done> =
  | { kind: 'done'; result: Done }
  | { kind: 'refused'; refusal: PlatformRefusal }
  | { kind: 'throttled'; message: string }
  | { kind: 'not_reached' }
  | { kind: 'unanswered' };

/** The changes of a template; `draft` has the complete contents, if they change. */
export interface SubmittedEdit {
  category?: TemplateCategory;
  messageTtlSeconds?: number;
  draft?: TemplateDraft;
}

/** Changes templates on the platform. No call is repeated automatically. */
export abstract class TemplatePublisher {
  /** Creates a template and submits it for review. */
  abstract create(sender: Sender, draft: TemplateDraft): Promise<PublishAnswer<SubmittedTemplate>>;
  /** Edits a template; new contents and a new category are reviewed again. */
  abstract edit(sender: Sender, platformTemplateId: string, edit: SubmittedEdit): Promise<PublishAnswer<null>>;
  /** Deletes one language of a template; other languages of the name remain. */
  abstract remove(sender: Sender, name: string, platformTemplateId: string): Promise<PublishAnswer<null>>;
  /** Allows sending a template again that the platform has paused for pacing. */
  abstract unpause(sender: Sender, platformTemplateId: string): Promise<PublishAnswer<null>>;
  /** The current template on the platform; null if it cannot be read. */
  abstract read(sender: Sender, platformTemplateId: string): Promise<PlatformTemplate | null>;
}
