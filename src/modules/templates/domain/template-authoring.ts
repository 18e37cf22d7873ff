import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../kernel/caller';
import { Clock } from '../../../kernel/clock';
import { type CreationClaim, unkeyedClaim } from '../../../kernel/creation-claim';
import type { FieldError } from '../../../kernel/domain-error';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { uuidV7 } from '../../../kernel/uuid';
import { type AuditedAction, AuditLogService } from '../../accounts/domain/audit-log.service';
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
import type { Template, TemplateOwner, TemplateStatus } from './template';
import { statusChange, TemplateChanges } from './template-changes';
import { sameComponents } from './template-components';
import { componentsOfDraft, hasContents, type TemplateDraft, type TemplateEdit } from './template-draft';
import { type DraftPreview, previewOfDraft, type PreviewInput } from './template-preview';
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

/**
 * Creates, edits and deletes templates: validated by the platform's rules, submitted to it, and stored as it accepts them, together with
 * the audit entry.
 */
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
    private readonly audit: AuditLogService,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a template in the business account of the sender and submits it. Throws SenderNotFoundError, InvalidTemplateError, TemplateNameTakenError, TemplateRefusedError,
   * TemplateCreationLimitError, TemplatePlatformUnavailableError or TemplateOutcomeUnknownError. A template that
   * the platform accepted but this process failed to store is added by the next sync; repeating the request throws
   * TemplateNameTakenError.
   */
  async create(caller: Caller, draft: TemplateDraft, claim = unkeyedClaim(), senderId?: string): Promise<Template> {
    const { accountId } = caller;
    const errors = errorsOfDraft(draft);
    if (errors.length > 0) throw new InvalidTemplateError(errors);
    const sender = await this.senders.ofAccount(accountId, senderId);
    const nameError = await this.nameTakenError(sender, draft);
    if (nameError) throw nameError;
    await this.requireUnique(sender, draft, null);
    const at = this.clock.now();
    const answer = await this.publisher.create(sender, draft);
    switch (answer.kind) {
      case 'done':
        return this.storeCreated(caller, sender, draft, answer.result, at, claim);
      case 'refused':
        if (answer.refusal.problem === 'template_name_taken') this.syncSignal.request(accountId);
        throw creationError(draft, answer.refusal);
      case 'unanswered':
        return this.resolveOutcome(caller, sender, draft);
      default:
        throw failureOf(answer, TemplateCreationLimitError);
    }
  }

  /** Validates a draft like `create`, without submitting it: one error per field. */
  async check(accountId: string, draft: TemplateDraft, senderId?: string): Promise<FieldError<string>[]> {
    const [first] = await this.senders.allOf(accountId);
    const sender = senderId === undefined ? first : await this.senders.ofAccount(accountId, senderId);
    const owner = sender ?? { accountId, businessAccountId: '' };
    const nameError = await this.nameTakenError(owner, draft);
    const errors: FieldError<string>[] = errorsOfDraft(draft);
    if (nameError) errors.unshift({ field: 'name', code: nameError.code, message: nameError.message });
    if (errors.length > 0) return errors;
    const duplicate = await this.duplicateError(owner, draft, null);
    return duplicate ? [duplicate] : [];
  }

  /** Fills in a draft as if it were approved; the problems are those of `check`, then those of a send. */
  async preview(
    accountId: string,
    draft: TemplateDraft,
    given: PreviewInput,
    senderId?: string,
  ): Promise<DraftPreview> {
    return previewOfDraft(draft, await this.check(accountId, draft, senderId), given, this.clock.now());
  }

  /**
   * Changes a template; any part of the contents replaces all of them, except that a call permission request stays. Throws TemplateNotFoundError, InvalidTemplateError,
   * InvalidTemplateStateError and what `create` throws.
   */
  async edit(caller: Caller, templateId: string, edit: TemplateEdit): Promise<Template> {
    const { accountId } = caller;
    const template = await this.templates.get(accountId, templateId);
    const draft = validatedDraft(template, edit);
    const platformTemplateId = editableId(template, edit);
    if (draft !== null) await this.requireUnique(template, draft, template.id);
    const sender = await this.senderOf(template);
    const at = this.clock.now();
    const { category, messageTtlSeconds } = edit;
    const answer = await this.publisher.edit(sender, platformTemplateId, {
      ...(category !== undefined && category !== template.category && { category }),
      ...(messageTtlSeconds !== undefined && { messageTtlSeconds }),
      ...(draft !== null && { draft }),
    });
    if (answer.kind !== 'done') throw await this.editError(sender, template, platformTemplateId, answer);
    const isReviewed = draft !== null || (category !== undefined && category !== template.category);
    const fields = Object.keys(edit).filter((name) => edit[name as keyof TemplateEdit] !== undefined);
    const entry = { action: 'template.changed', targetId: templateId, fields } as const;
    if (isReviewed) await this.storeEdited(caller, template, edit, draft, at, entry);
    else await this.audit.record(caller, entry);
    this.syncSignal.request(accountId);
    return this.templates.get(accountId, templateId);
  }

  /**
   * Deletes one language of a template on the platform; succeeds if it no longer exists there. Throws TemplateNotFoundError, also
   * for a Deleted one, InvalidTemplateStateError and what `create` throws.
   */
  async remove(caller: Caller, templateId: string): Promise<void> {
    const { accountId } = caller;
    const template = await this.templates.get(accountId, templateId);
    if (template.status === 'Deleted') throw new TemplateNotFoundError();
    if (template.status === 'Disabled') {
      throw new InvalidTemplateStateError('Disabled', 'The platform does not allow deleting a Disabled template.');
    }
    const platformTemplateId = requirePlatformId(template);
    const sender = await this.senderOf(template);
    const at = this.clock.now();
    const answer = await this.publisher.remove(sender, template.name, platformTemplateId);
    const isGone = answer.kind === 'refused' && answer.refusal.problem === 'template_unknown';
    if (answer.kind === 'done' || isGone) {
      const entry = { action: 'template.deleted', targetId: templateId } as const;
      return this.change(caller, template, entry, (before) => ({ ...before, status: 'Deleted', statusAt: at }));
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
  async unpause(caller: Caller, templateId: string): Promise<Template> {
    const { accountId } = caller;
    const template = await this.templates.get(accountId, templateId);
    if (template.status !== 'Paused') {
      throw new InvalidTemplateStateError(template.status, `The template is ${template.status}, not Paused.`);
    }
    const platformTemplateId = requirePlatformId(template);
    const sender = await this.senderOf(template);
    const at = this.clock.now();
    const answer = await this.publisher.unpause(sender, platformTemplateId);
    this.syncSignal.request(accountId);
    if (answer.kind === 'refused') throw new TemplateRefusedError(answer.refusal);
    if (answer.kind !== 'done') throw failureOf(answer, TemplateCallLimitError);
    const entry = { action: 'template.unpaused', targetId: templateId } as const;
    await this.change(caller, template, entry, (before) => ({ ...before, status: 'Approved', statusAt: at }));
    return this.templates.get(accountId, templateId);
  }

  /** Throws InvalidTemplateError if another template has the same body and footer: the platform would reject this one. */
  private async requireUnique(owner: TemplateOwner, draft: TemplateDraft, ownId: string | null): Promise<void> {
    const duplicate = await this.duplicateError(owner, draft, ownId);
    if (duplicate) throw new InvalidTemplateError([duplicate]);
  }

  private async duplicateError(
    owner: TemplateOwner,
    draft: TemplateDraft,
    ownId: string | null,
  ): Promise<FieldError | null> {
    if (draft.category === 'Authentication') return null;
    const sameText = await this.store.withText(owner, draft.languageCode, componentsOfDraft(draft));
    const duplicate = sameText.find(({ id }) => id !== ownId);
    if (!duplicate) return null;
    const message =
      `The text and the footer are those of the template "${duplicate.name}", and the platform rejects ` +
      `duplicates. Use that template, or change the text.`;
    return { field: 'body.text', code: 'template_duplicate', message };
  }

  private async nameTakenError(owner: TemplateOwner, draft: TemplateDraft): Promise<TemplateNameTakenError | null> {
    const known = await this.find(owner, draft);
    if (!known || known.status === 'Deleted') return null;
    return new TemplateNameTakenError(draft.name, draft.languageCode, 'exists');
  }

  private async find(
    { accountId, businessAccountId }: TemplateOwner,
    { name, languageCode }: Pick<TemplateDraft, 'name' | 'languageCode'>,
  ): Promise<Template | undefined> {
    return (await this.store.byName(accountId, name)).find(
      (template) => template.languageCode === languageCode && template.businessAccountId === businessAccountId,
    );
  }

  /** A sender of the template's business account; throws TemplateNotFoundError if it was deleted. */
  private async senderOf({ accountId, businessAccountId }: Template): Promise<Sender> {
    await this.senders.ofAccount(accountId);
    const all = await this.senders.allOf(accountId);
    const sender = all.find((one) => one.businessAccountId === businessAccountId);
    if (!sender) throw new TemplateNotFoundError();
    return sender;
  }

  private async storeCreated(
    caller: Caller,
    owner: TemplateOwner,
    draft: TemplateDraft,
    submitted: SubmittedTemplate,
    at: Date,
    claim: CreationClaim,
  ): Promise<Template> {
    const { name, languageCode } = draft;
    const { accountId, businessAccountId } = owner;
    const now = this.clock.now();
    await this.unitOfWork.run(async () => {
      await claim.seal();
      const identity = { name, languageCode, platformTemplateId: submitted.platformTemplateId };
      const locked = await this.store.lock(owner, [identity]);
      const before = locked.find((template) => template.name === name && template.languageCode === languageCode);
      const id = before?.id ?? claim.resourceId;
      await this.audit.record(caller, { action: 'template.created', targetId: id });
      // A sync has stored the template meanwhile, with at least the same information.
      if (before?.platformTemplateId === submitted.platformTemplateId) return;
      const created: Template = {
        ...{ id, accountId, businessAccountId, revisionId: uuidV7() },
        ...{ name, languageCode },
        ...submitted,
        ...{ qualityRating: null, rejectionReason: null, source: 'Authored', components: componentsOfDraft(draft) },
        ...{ statusAt: at, createdAt: before?.createdAt ?? now, updatedAt: now, lastSyncedAt: null },
      };
      await this.store.save(created);
      if (before && before.status !== created.status) await this.changes.announce([statusChange(before, created)]);
    });
    this.templates.forgetCurrent(accountId);
    // The platform provides the text of authentication templates.
    if (draft.category === 'Authentication') this.syncSignal.request(accountId);
    const stored = await this.find(owner, draft);
    if (!stored) throw new TemplateOutcomeUnknownError();
    return stored;
  }

  /** Determines the outcome of an unanswered request from the platform's list. */
  private async resolveOutcome(caller: Caller, owner: TemplateOwner, draft: TemplateDraft): Promise<Template> {
    const { accountId } = owner;
    await this.templateSync.sync(accountId).catch(() => this.syncSignal.request(accountId));
    const found = await this.find(owner, draft);
    if (!found || found.status === 'Deleted') throw new TemplateOutcomeUnknownError();
    const matchesDraft =
      draft.category === 'Authentication' || sameComponents(found.components, componentsOfDraft(draft));
    if (!matchesDraft) throw new TemplateNameTakenError(draft.name, draft.languageCode, 'exists');
    await this.audit.record(caller, { action: 'template.created', targetId: found.id });
    return found;
  }

  private storeEdited(
    caller: Caller,
    template: Template,
    edit: TemplateEdit,
    draft: TemplateDraft | null,
    at: Date,
    entry: AuditedAction,
  ): Promise<void> {
    const contents = draft && { components: componentsOfDraft(draft), revisionId: uuidV7() };
    return this.change(caller, template, entry, (before) => ({
      ...before,
      ...contents,
      ...{ category: edit.category ?? before.category, status: 'Pending', rejectionReason: null, statusAt: at },
    }));
  }

  private async change(
    caller: Caller,
    template: Template,
    entry: AuditedAction,
    changed: (before: Template) => Template,
  ): Promise<void> {
    await this.unitOfWork.run(async () => {
      await this.audit.record(caller, entry);
      const before = (await this.store.lock(template, [template])).find(({ id }) => id === template.id);
      if (!before) return;
      const after = { ...changed(before), updatedAt: this.clock.now() };
      await this.store.save(after);
      if (after.status !== before.status) await this.changes.announce([statusChange(before, after)]);
    });
    this.templates.forgetCurrent(template.accountId);
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
  // The list does not show it, so a client cannot repeat it.
  const isKept = components.callPermissionRequest && category !== 'Authentication';
  const callPermissionRequest = edit.callPermissionRequest ?? (isKept || undefined);
  const { parameterFormat } = components;
  const draft = { ...edit, callPermissionRequest, name, languageCode, category, parameterFormat };
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
