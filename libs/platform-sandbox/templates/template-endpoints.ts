import type { BusinessAccount } from '../account/directory';
import { json, success, type HandlerResult } from '../http/handler-result';
import type { Exchange } from '../http/exchange';
import { GraphError, invalidParameter } from '../http/graph-error';
import type { Sandbox } from '../sandbox-state';
import { shapeOf } from './shape';
import { templateView, type Template, type TemplateDraft } from './template';
import { checkTemplateFields, fieldsOf } from './template-list';
import { templateProblem } from './template-problem';
import { readComponents, readDraft, readTimeToLive } from './template-rules';

const DAY_MS = 86_400_000;
const EDITS_PER_MONTH = 10;
const REJECTED_NAME = 'reject_';

/** Creating, editing, deleting and reviewing templates; the review is a timer. */
export class TemplateEndpoints {
  private readonly reviews = new Set<NodeJS.Timeout>();

  constructor(private readonly sandbox: Sandbox) {}

  /** `POST /{business-account-id}/message_templates`. */
  create(exchange: Exchange, account: BusinessAccount): HandlerResult {
    const { config, limits } = this.sandbox;
    const draft = readDraft(exchange.parameters());
    if (account.templates.find(draft.name, draft.language) !== undefined) {
      throw templateProblem(
        2388024,
        'Content in this language already exists',
        `There is already ${draft.language} content for this template.`,
      );
    }
    if (account.templates.isBlocked(draft.name, draft.language)) {
      throw templateProblem(
        2388023,
        'Message template language is being deleted',
        'This name was used by an approved template that was deleted less than 30 days ago.',
      );
    }
    if (!limits.takeCreation(account.id, config.templateCreationsPerHour)) throw new GraphError(80008);
    return json(this.submit(account, draft));
  }

  /** `GET /{template-id}`. */
  read(exchange: Exchange, template: Template): HandlerResult {
    const fields = fieldsOf(exchange);
    checkTemplateFields(fields);
    return json(templateView(template, fields));
  }

  /** `POST /{template-id}`: changes components, category or time to live; components are replaced as a whole and reviewed again. */
  edit(exchange: Exchange, account: BusinessAccount, template: Template): HandlerResult {
    const input = exchange.parameters();
    if (!['APPROVED', 'REJECTED', 'PAUSED'].includes(template.status)) {
      throw templateProblem(
        2388039,
        'Template cannot be edited',
        `A template in status ${template.status} cannot be edited.`,
      );
    }
    const category = typeof input.category === 'string' ? input.category.toUpperCase() : template.category;
    if (template.status === 'APPROVED' && category !== template.category) {
      throw templateProblem(
        2388039,
        'Category cannot change',
        'The category of an approved template cannot be changed.',
      );
    }
    const draft = readDraft({
      name: template.name,
      language: template.language,
      parameter_format: template.parameterFormat,
      category,
      components: input.components === undefined ? template.components : readComponents(input.components),
      message_send_ttl_seconds: template.timeToLive,
    });
    if (template.status === 'APPROVED') this.countEdit(template);
    template.timeToLive = readTimeToLive(input.message_send_ttl_seconds, draft.category) ?? template.timeToLive;
    if (input.components !== undefined || category !== template.category) {
      template.components = draft.components;
      template.category = draft.category;
      template.shape = shapeOf(draft.components, draft.category, template.subCategory);
      template.status = 'PENDING';
      template.rejectedReason = 'NONE';
      this.review(account, template);
    }
    this.sandbox.templatesChanged();
    return success();
  }

  /** `DELETE /{business-account-id}/message_templates`: all languages of a name, or the one with the given id. */
  remove(exchange: Exchange, account: BusinessAccount): HandlerResult {
    const { name, hsm_id: id, hsm_ids: ids } = exchange.parameters();
    for (const template of templatesToDelete(account, name, id, ids)) {
      account.templates.remove(template);
      this.sandbox.templatesChanged();
      this.sandbox.webhooks.templateStatusChanged(account, template, 'DELETED');
    }
    return success();
  }

  /** `POST /{template-id}/unpause`. */
  unpause(account: BusinessAccount, template: Template): HandlerResult {
    if (template.status !== 'PAUSED') throw invalidParameter('The template is not paused.');
    template.status = 'APPROVED';
    this.sandbox.templatesChanged();
    this.sandbox.webhooks.templateStatusChanged(account, template, 'APPROVED', { other_info: { title: 'UNPAUSE' } });
    return success();
  }

  /** Reviews the templates whose review a restart interrupted; seeded ones keep their status. */
  reviewPending(): void {
    for (const account of this.sandbox.directory.allAccounts()) {
      const pending = account.templates.all().filter(({ status, createdAt }) => status === 'PENDING' && createdAt > 0);
      for (const template of pending) this.review(account, template);
    }
  }

  /** Cancels all pending reviews. */
  clear(): void {
    for (const review of this.reviews) clearTimeout(review);
    this.reviews.clear();
  }

  private submit(account: BusinessAccount, draft: TemplateDraft): object {
    const template = account.templates.add(draft, 'PENDING');
    this.review(account, template);
    this.sandbox.templatesChanged();
    return { id: template.id, status: template.status, category: template.category };
  }

  private review(account: BusinessAccount, template: Template): void {
    const { autoApproveMs } = this.sandbox.config;
    if (autoApproveMs < 0) return;
    const review = setTimeout(() => {
      this.reviews.delete(review);
      if (template.status !== 'PENDING' || account.templates.get(template.id) !== template) return;
      const rejected = template.name.startsWith(REJECTED_NAME);
      template.status = rejected ? 'REJECTED' : 'APPROVED';
      template.rejectedReason = rejected ? 'TAG_CONTENT_MISMATCH' : 'NONE';
      this.sandbox.templatesChanged();
      this.sandbox.webhooks.templateStatusChanged(account, template, template.status);
    }, autoApproveMs);
    review.unref();
    this.reviews.add(review);
  }

  private countEdit(template: Template): void {
    const { templateEditsPerDay } = this.sandbox.config;
    const now = Date.now();
    template.edits = template.edits.filter((at) => now - at < 30 * DAY_MS);
    const today = template.edits.filter((at) => now - at < DAY_MS).length;
    const tooMany = today >= templateEditsPerDay || template.edits.length >= EDITS_PER_MONTH;
    if (templateEditsPerDay > 0 && tooMany) {
      throw templateProblem(2388039, 'Template cannot be edited', 'An approved template was edited too often.');
    }
    template.edits.push(now);
  }
}

function templatesToDelete(account: BusinessAccount, name: unknown, id: unknown, ids: unknown): Template[] {
  const { templates } = account;
  let selected: (Template | undefined)[];
  if (ids !== undefined) selected = idsOf(ids).map((one) => templates.get(one));
  else if (id !== undefined) selected = [templates.get(idsOf(id)[0] ?? '')].filter((one) => one?.name === name);
  else if (typeof name === 'string' && name !== '') selected = templates.named(name);
  else throw invalidParameter('The parameter name is required.');
  const found = selected.filter((template) => template !== undefined);
  if (found.length === 0 || found.length < selected.length) {
    throw templateProblem(2593002, 'Message template not found', 'There is no template with this name and id.');
  }
  if (found.some((template) => template.status === 'DISABLED')) {
    throw templateProblem(2388039, 'Template cannot be deleted', 'A disabled template cannot be deleted.');
  }
  return found;
}

function idsOf(ids: unknown): string[] {
  const list = Array.isArray(ids)
    ? ids
    : String(ids)
        .replace(/[[\]"\s]/g, '')
        .split(',');
  return list.map(String).filter((id) => id !== '');
}
