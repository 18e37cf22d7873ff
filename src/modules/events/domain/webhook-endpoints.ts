import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../kernel/caller';
import { requestContext } from '../../../kernel/request-context';
import { Clock } from '../../../kernel/clock';
import type { Page, PageRequest, Slice } from '../../../kernel/page';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { uuidV7 } from '../../../kernel/uuid';
import { QuotaExceededError } from '../../accounts/domain/accounts.errors';
import { type AuditAction, type AuditEntry } from '../../accounts/domain/audit-entry';
import { AuditLogService } from '../../accounts/domain/audit-log.service';
import { Plans } from '../../accounts/domain/plans';
import { DeliveryStore } from './delivery-store.port';
import { TEST_EVENT } from './event';
import { eventText } from './event-outbox';
import {
  DeliveryBodyExpiredError,
  ReplayInProgressError,
  WebhookDeliveryNotFoundError,
  WebhookEndpointNotFoundError,
} from './events.errors';
import { postBody } from './post-body';
import type { LoggedDelivery } from './webhook-delivery';
import type { EndpointFields, IssuedEndpoint, WebhookEndpoint, WebhookReplay } from './webhook-endpoint';
import { type DeliveriesRequest, type EndpointChange, WebhookEndpointStore } from './webhook-endpoint-store.port';
import { WebhookSender } from './webhook-sender.port';
import { newWebhookSecret } from './webhook-signature';

/** The webhook endpoints of an account. */
@Injectable()
export class WebhookEndpoints {
  constructor(
    private readonly store: WebhookEndpointStore,
    private readonly deliveryStore: DeliveryStore,
    private readonly sender: WebhookSender,
    private readonly plans: Plans,
    private readonly audit: AuditLogService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Newest first. */
  page(accountId: string, page: PageRequest): Promise<Page<WebhookEndpoint>> {
    return this.store.page(accountId, page);
  }

  /** Throws WebhookEndpointNotFoundError. */
  async get(accountId: string, id: string): Promise<WebhookEndpoint> {
    const endpoint = await this.store.find(accountId, id);
    if (!endpoint) throw new WebhookEndpointNotFoundError();
    return endpoint;
  }

  /** Adds an endpoint. Throws QuotaExceededError, and ValidationFailedError for a URL that is not allowed. */
  async create(caller: Caller, fields: EndpointFields): Promise<IssuedEndpoint> {
    this.checkUrl(fields.url);
    const { accountId } = caller;
    const { maxWebhookEndpoints: limit } = this.plans.of(caller.plan);
    const id = uuidV7();
    const secret = newWebhookSecret();
    await this.audited(caller, 'webhook.created', id, Object.keys(fields), async () => {
      const added = await this.store.add({ id, accountId, ...fields }, secret, limit);
      if (!added) throw new QuotaExceededError('maxWebhookEndpoints', limit);
    });
    return { endpoint: await this.get(accountId, id), secret };
  }

  /** Changes an endpoint; without a field, nothing is done or recorded. Takes effect within 2 s. Throws WebhookEndpointNotFoundError, ValidationFailedError. */
  async change(caller: Caller, id: string, change: EndpointChange): Promise<WebhookEndpoint> {
    if (Object.keys(change).length === 0) return this.get(caller.accountId, id);
    if (change.url !== undefined) this.checkUrl(change.url);
    await this.changed(caller, 'webhook.changed', id, Object.keys(change), () =>
      this.store.change(caller.accountId, id, change),
    );
    return this.get(caller.accountId, id);
  }

  /** Replaces the secret; for `overlapSeconds` bodies are signed with both. Throws WebhookEndpointNotFoundError. */
  async rotateSecret(caller: Caller, id: string, overlapSeconds: number): Promise<IssuedEndpoint> {
    const secret = newWebhookSecret();
    const fields = ['secret', ...(overlapSeconds > 0 ? ['previousSecretValidUntil'] : [])];
    await this.changed(caller, 'webhook.secret_rotated', id, fields, () =>
      this.store.replaceSecret(caller.accountId, id, secret, overlapSeconds),
    );
    return { endpoint: await this.get(caller.accountId, id), secret };
  }

  /** Deletes an endpoint and its waiting events; deliveries stop within 2 s. Throws WebhookEndpointNotFoundError. */
  remove(caller: Caller, id: string): Promise<void> {
    return this.changed(caller, 'webhook.deleted', id, [], () => this.store.remove(caller.accountId, id));
  }

  /** Sends an event of type `webhook.test` immediately, also to a disabled endpoint. Throws WebhookEndpointNotFoundError. */
  async test(accountId: string, id: string): Promise<LoggedDelivery> {
    const { url, maxEvents } = await this.get(accountId, id);
    const event = eventText(TEST_EVENT, this.clock.now(), { endpointId: id });
    const payload = maxEvents === 1 ? event : `{"events":[${event}]}`;
    const secrets = await this.store.secretsOf(id);
    const { traceparent } = requestContext();
    const post = { endpointId: id, url, secrets, key: randomUUID(), body: 0, payload, traceparent };
    const { at, durationMs, arrived, httpStatus, error } = await postBody(
      { clock: this.clock, sender: this.sender },
      post,
    );
    const attempt: LoggedDelivery & { payload: string } = {
      ...{ id: uuidV7(), endpointId: id, key: post.key, body: 0, events: [TEST_EVENT], attempt: 0, at, payload },
      ...{ status: arrived ? 'Delivered' : 'Failed', httpStatus, error, durationMs, nextAttemptAt: null },
    };
    await this.deliveryStore.finish([{ id: '0', endpointId: id, again: null, attempts: [attempt], row: null }]);
    return attempt;
  }

  /** Attempts of the last 30 days, newest first. Throws WebhookEndpointNotFoundError. */
  async deliveries(accountId: string, id: string, request: DeliveriesRequest): Promise<Slice<LoggedDelivery>> {
    await this.get(accountId, id);
    return this.store.deliveries(id, request);
  }

  /** Redelivers the body of an attempt. Throws WebhookDeliveryNotFoundError, DeliveryBodyExpiredError. */
  async replay(accountId: string, deliveryId: string): Promise<LoggedDelivery> {
    const delivery = await this.store.delivery(accountId, deliveryId);
    if (!delivery) throw new WebhookDeliveryNotFoundError();
    if (!(await this.store.replay(deliveryId))) throw new DeliveryBodyExpiredError();
    return delivery;
  }

  /**
   * Starts redelivering events that were first delivered or finally failed since `since`, at the rate of the plan. Throws
   * WebhookEndpointNotFoundError, ReplayInProgressError.
   */
  async replaySince({ accountId, plan }: Caller, id: string, since: Date): Promise<WebhookReplay> {
    await this.get(accountId, id);
    const replay = await this.store.startReplay(id, since, this.plans.of(plan).replayedPerSecond);
    if (!replay) throw new ReplayInProgressError();
    return replay;
  }

  private checkUrl(url: string): void {
    const refusal = this.sender.refusal(url);
    if (refusal !== null)
      throw new ValidationFailedError([{ field: 'url', code: 'not_allowed', message: `url ${refusal}` }]);
  }

  private changed(
    caller: Caller,
    action: AuditAction,
    id: string,
    fields: AuditEntry['fields'],
    work: () => Promise<boolean>,
  ): Promise<void> {
    return this.audited(caller, action, id, fields, async () => {
      if (!(await work())) throw new WebhookEndpointNotFoundError();
    });
  }

  private audited(
    caller: Caller,
    action: AuditAction,
    targetId: string,
    fields: AuditEntry['fields'],
    work: () => Promise<void>,
  ): Promise<void> {
    return this.unitOfWork.run(async () => {
      await work();
      await this.audit.record(caller, { action, targetId, fields });
    });
  }
}
