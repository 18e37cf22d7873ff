import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { type CreationClaim, unkeyedClaim } from '../../../kernel/creation-claim';
import type { FieldError } from '../../../kernel/domain-error';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { uuidV7 } from '../../../kernel/uuid';
import type { Sender } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import {
  InvalidTemplateError,
  InvalidTemplateStateError,
  TemplateCallLimitError,
  TemplateCreationLimitError,
  TemplateEditLimitError,
  TemplateNameTakenError,
  TemplateOutcomeUnknownError,
  TemplatePlatformUnavailableError,
  TemplateRefusedError,
} from './authoring.errors';
import { errorsOfDraft, errorsOfTimeToLive } from './authoring-rules';
import { SyncSignal } from './sync-signal';
import type { Template, TemplateStatus } from './template';
import { statusChange, TemplateChanges } from './template-changes';
import { sameComponents } from './template-components';
import { componentsOfDraft, hasContents, type TemplateDraft, type TemplateEdit } from './template-draft';
import {
  type PlatformRefusal,
  type PublishAnswer,
  type SubmittedTemplate,
  TemplatePublisher,
} from './template-publisher.port';
import { TemplateNotFoundError } from './templates.errors';
import { TemplateStore } from './template-store.port';
import { TemplateSync } from './template-sync';
import { TemplatesService } from './templates.service';

const EDITABLE: readonly TemplateStatus[] = ['Approved', 'Rejected', 'Paused'];

/** Creates, edits and deletes templates: validated by the platform's rules, submitted to it, and stored as it accepts them. */
@Injectable()
export class TemplateAuthoring {
  constructor(
    private readonly senders: SendersService,
    private readonly publisher: TemplatePublisher,
    private readonly store: TemplateStore,
    private readonly templates: TemplatesService,
    private readonly templateSync: TemplateSync,
    private readonly changes: TemplateChanges,
    private readonly syncSignal: SyncSignal,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a template and submits it. Throws InvalidTemplateError, TemplateNameTakenError, TemplateRefusedError,
   * TemplateCreationLimitError, TemplatePlatformUnavailableError or TemplateOutcomeUnknownError. A template that
   * the platform accepted but this process failed to store is added by the next sync; repeating the request throws
   * TemplateNameTakenError.
   */
  async create(accountId: string, draft: TemplateDraft, claim = unkeyedClaim()): Promise<Template> {
    const errors = errorsOfDraft(draft);
    if (errors.length > 0) throw new InvalidTemplateError(errors);
    const sender = await this.senders.ofAccount(accountId);
    const nameError = await this.nameTakenError(accountId, draft);
    if (nameError) throw nameError;
    await this.requireUnique(accountId, draft, null);
    const at = this.clock.now();
    const answer = await this.publisher.create(sender, draft);
    switch (answer.kind) {
      case 'done':
        return this.storeCreated(accountId, draft, answer.result, at, claim);
      case 'refused':
        if (answer.refusal.problem === 'template_name_taken') this.syncSignal.request(accountId);
        throw creationError(draft, answer.refusal);
      case 'unanswered':
        return this.resolveOutcome(accountId, draft);
      default:
        throw failureOf(answer, TemplateCreationLimitError);
    }
  }

  /** Validates a draft like `create`, without submitting it: one error per field. */
  async check(accountId: string, draft: TemplateDraft): Promise<FieldError<string>[]> {
    const nameError = await this.nameTakenError(accountId, draft);
    const errors: FieldError<string>[] = errorsOfDraft(draft);
    if (nameError) errors.unshift({ field: 'name', code: nameError.code, message: nameError.message });
    if (errors.length > 0) return errors;
    const duplicate = await this.duplicateError(accountId, draft, null);
    return duplicate ? [duplicate] : [];
  }

  /**
   * Changes a template; any part of the contents replaces all of them. Throws TemplateNotFoundError, InvalidTemplateError,
   * InvalidTemplateStateError and what `create` throws.
   */
  async edit(accountId: string, templateId: string, edit: TemplateEdit): Promise<Template> {
    const template = await this.templates.get(accountId, templateId);
    const draft = validatedDraft(template, edit);
    const platformTemplateId = editableId(template, edit);
    if (draft !== null) await this.requireUnique(accountId, draft, template.id);
    const sender = await this.senders.ofAccount(accountId);
    const at = this.clock.now();
    const { category, messageTtlSeconds } = edit;
    const answer = await this.publisher.edit(sender, platformTemplateId, {
      ...(category !== undefined && category !== template.category && { category }),
      ...(messageTtlSeconds !== undefined && { messageTtlSeconds }),
      ...(draft !== null && { draft }),
    });
    if (answer.kind !== 'done') throw await this.editError(sender, template, platformTemplateId, answer);
    const isReviewed = draft !== null || (category !== undefined && category !== template.category);
    if (isReviewed) await this.storeEdited(template, edit, draft, at);
    this.syncSignal.request(accountId);
    return this.templates.get(accountId, templateId);
  }

  /**
   * Deletes one language of a template on the platform; succeeds if it no longer exists there. Throws TemplateNotFoundError, also
   * for a Deleted one, InvalidTemplateStateError and what `create` throws.
   */
  async remove(accountId: string, templateId: string): Promise<void> {
    const template = await this.templates.get(accountId, templateId);
    if (template.status === 'Deleted') throw new TemplateNotFoundError();
    if (template.status === 'Disabled') {
      throw new InvalidTemplateStateError('Disabled', 'The platform does not allow deleting a Disabled template.');
    }
    const platformTemplateId = requirePlatformId(template);
    const sender = await this.senders.ofAccount(accountId);
    const at = this.clock.now();
    const answer = await this.publisher.remove(sender, template.name, platformTemplateId);
    const isGone = answer.kind === 'refused' && answer.refusal.problem === 'template_unknown';
    if (answer.kind === 'done' || isGone) {
      return this.change(template, (before) => ({ ...before, status: 'Deleted', statusAt: at }));
    }
    this.syncSignal.request(accountId);
    if (answer.kind === 'refused') throw new TemplateRefusedError(answer.refusal);
    throw failureOf(answer, TemplateCallLimitError);
  }

  /**
   * Unpauses a template on the platform, and with it the jobs that wait for it. A pause for low quality ends automatically, and the
   * platform may refuse to end it earlier. Throws TemplateNotFoundError, InvalidTemplateStateError, TemplateRefusedError and what
   * `create` throws.
   */
  async unpause(accountId: string, templateId: string): Promise<Template> {
    const template = await this.templates.get(accountId, templateId);
    if (template.status !== 'Paused') {
      throw new InvalidTemplateStateError(template.status, `The template is ${template.status}, not Paused.`);
    }
    const platformTemplateId = requirePlatformId(template);
    const sender = await this.senders.ofAccount(accountId);
    const at = this.clock.now();
    const answer = await this.publisher.unpause(sender, platformTemplateId);
    this.syncSignal.request(accountId);
    if (answer.kind === 'refused') throw new TemplateRefusedError(answer.refusal);
    if (answer.kind !== 'done') throw failureOf(answer, TemplateCallLimitError);
    await this.change(template, (before) => ({ ...before, status: 'Approved', statusAt: at }));
    return this.templates.get(accountId, templateId);
  }

  /** Throws InvalidTemplateError if another template has the same body and footer: the platform would reject this one. */
  private async requireUnique(accountId: string, draft: TemplateDraft, ownId: string | null): Promise<void> {
    const duplicate = await this.duplicateError(accountId, draft, ownId);
    if (duplicate) throw new InvalidTemplateError([duplicate]);
  }

  private async duplicateError(
    accountId: string,
    draft: TemplateDraft,
    ownId: string | null,
  ): Promise<FieldError | null> {
    if (draft.category === 'Authentication') return null;
    const sameText = await this.store.withText(accountId, draft.languageCode, componentsOfDraft(draft));
    const duplicate = sameText.find(({ id }) => id !== ownId);
    if (!duplicate) return null;
    const message =
      `body.text and footer.text match those of the template "${duplicate.name}", and the platform rejects ` +
      `duplicates. Use that template, or change the text.`;
    return { field: 'body.text', code: 'template_duplicate', message };
  }

  private async nameTakenError(accountId: string, draft: TemplateDraft): Promise<TemplateNameTakenError | null> {
    const known = await this.find(accountId, draft);
    if (!known || known.status === 'Deleted') return null;
    return new TemplateNameTakenError(draft.name, draft.languageCode, 'exists');
  }

  private async find(
    accountId: string,
    { name, languageCode }: Pick<TemplateDraft, 'name' | 'languageCode'>,
  ): Promise<Template | undefined> {
    return (await this.store.byName(accountId, name)).find((template) => template.languageCode === languageCode);
  }

  private async storeCreated(
    accountId: string,
    draft: TemplateDraft,
    submitted: SubmittedTemplate,
    at: Date,
    claim: CreationClaim,
  ): Promise<Template> {
    const { name, languageCode } = draft;
    const now = this.clock.now();
    await this.unitOfWork.run(async () => {
      await claim.seal();
      const identity = { name, languageCode, platformTemplateId: submitted.platformTemplateId };
      const locked = await this.store.lock(accountId, [identity]);
      const before = locked.find((template) => template.name === name && template.languageCode === languageCode);
      // A sync has stored the template meanwhile, with at least the same information.
      if (before?.platformTemplateId === submitted.platformTemplateId) return;
      const created: Template = {
        ...{ id: before?.id ?? claim.resourceId, accountId, revisionId: uuidV7(), name, languageCode },
        ...submitted,
        ...{ qualityRating: null, rejectionReason: null, source: 'Authored', components: componentsOfDraft(draft) },
        ...{ statusAt: at, createdAt: before?.createdAt ?? now, updatedAt: now, lastSyncedAt: null },
      };
      await this.store.save(created);
      if (before && before.status !== created.status) await this.changes.announce([statusChange(before, created)]);
    });
    this.templates.forgetCurrent();
    // The platform provides the text of authentication templates.
    if (draft.category === 'Authentication') this.syncSignal.request(accountId);
    const stored = await this.find(accountId, draft);
    if (!stored) throw new TemplateOutcomeUnknownError();
    return stored;
  }

  /** Determines the outcome of an unanswered request from the platform's list. */
  private async resolveOutcome(accountId: string, draft: TemplateDraft): Promise<Template> {
    await this.templateSync.sync(accountId).catch(() => this.syncSignal.request(accountId));
    const found = await this.find(accountId, draft);
    if (!found || found.status === 'Deleted') throw new TemplateOutcomeUnknownError();
    const matchesDraft =
      draft.category === 'Authentication' || sameComponents(found.components, componentsOfDraft(draft));
    if (!matchesDraft) throw new TemplateNameTakenError(draft.name, draft.languageCode, 'exists');
    return found;
  }

  private storeEdited(template: Template, edit: TemplateEdit, draft: TemplateDraft | null, at: Date): Promise<void> {
    const contents = draft && { components: componentsOfDraft(draft), revisionId: uuidV7() };
    return this.change(template, (before) => ({
      ...before,
      ...contents,
      ...{ category: edit.category ?? before.category, status: 'Pending', rejectionReason: null, statusAt: at },
    }));
  }

  private async change(template: Template, changed: (before: Template) => Template): Promise<void> {
    await this.unitOfWork.run(async () => {
      const before = (await this.store.lock(template.accountId, [template])).find(({ id }) => id === template.id);
      if (!before) return;
      const after = { ...changed(before), updatedAt: this.clock.now() };
      await this.store.save(after);
      if (after.status !== before.status) await this.changes.announce([statusChange(before, after)]);
    });
    this.templates.forgetCurrent();
  }

  private async editError(
    sender: Sender,
    template: Template,
    platformTemplateId: string,
    answer: Exclude<PublishAnswer<null>, { kind: 'done' }>,
  ): Promise<Error> {
    this.syncSignal.request(template.accountId);
    if (answer.kind !== 'refused') return failureOf(answer, TemplateCallLimitError);
    if (answer.refusal.problem !== 'template_not_editable') return new TemplateRefusedError(answer.refusal);
    // The platform uses one code for two cases: the status does not permit edits, or there were too many edits.
    const status = (await this.publisher.read(sender, platformTemplateId))?.status ?? template.status;
    if (status === 'Approved') return new TemplateEditLimitError();
    return notEditable(status);
  }
}

/** The complete, validated contents after an edit; null if the edit has no contents. Throws InvalidTemplateError. */
function validatedDraft(template: Template, edit: TemplateEdit): TemplateDraft | null {
  const { name, languageCode, components } = template;
  const category = edit.category ?? template.category;
  if (!hasContents(edit) && edit.category === undefined && edit.messageTtlSeconds === undefined) {
    const message = 'The request changes nothing. Set category, messageTtlSeconds or the contents.';
    throw new InvalidTemplateError([{ field: 'body', code: 'required', message }]);
  }
  const replacesText = (category === 'Authentication') !== (template.category === 'Authentication');
  if (!hasContents(edit) && !replacesText) {
    const errors = errorsOfTimeToLive({ category, messageTtlSeconds: edit.messageTtlSeconds });
    if (errors.length > 0) throw new InvalidTemplateError(errors);
    return null;
  }
  const draft = { ...edit, name, languageCode, category, parameterFormat: components.parameterFormat };
  // Name and language were accepted by the platform before and are not part of this edit.
  const errors = errorsOfDraft(draft).filter(({ field }) => field !== 'name' && field !== 'languageCode');
  if (errors.length > 0) throw new InvalidTemplateError(errors);
  return draft;
}

/** The platform's id of the template, if this edit is allowed; throws InvalidTemplateStateError. */
function editableId(template: Template, edit: TemplateEdit): string {
  if (!EDITABLE.includes(template.status)) throw notEditable(template.status);
  if (template.status === 'Approved' && edit.category !== undefined && edit.category !== template.category) {
    const message = 'The category of an Approved template cannot be changed. Create another template instead.';
    throw new InvalidTemplateStateError('Approved', message);
  }
  return requirePlatformId(template);
}

function requirePlatformId({ platformTemplateId, status }: Template): string {
  if (platformTemplateId !== null) return platformTemplateId;
  const message = "The platform's id of this template is still unknown. Sync the templates, then try again.";
  throw new InvalidTemplateStateError(status, message);
}

function notEditable(status: TemplateStatus): InvalidTemplateStateError {
  const message = `The template is ${status}, and only an Approved, Rejected or Paused one can be edited.`;
  return new InvalidTemplateStateError(status, message);
}

function creationError({ name, languageCode }: TemplateDraft, refusal: PlatformRefusal): Error {
  if (refusal.problem === 'template_name_taken') return new TemplateNameTakenError(name, languageCode, 'exists');
  if (refusal.problem === 'template_name_blocked') return new TemplateNameTakenError(name, languageCode, 'blocked');
  return new TemplateRefusedError(refusal);
}

function failureOf(
  answer: Exclude<PublishAnswer<unknown>, { kind: 'done' | 'refused' }>,
  LimitError: new (reason: string) => Error,
): Error {
  switch (answer.kind) {
    case 'throttled':
      return new LimitError(answer.message);
    case 'not_reached':
      return new TemplatePlatformUnavailableError();
    case 'unanswered':
      return new TemplateOutcomeUnknownError();
  }
}
