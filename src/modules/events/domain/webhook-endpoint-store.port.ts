import type { Page, PageRequest, Slice, SliceRequest } from '../../../kernel/page';
import type { EndpointFields, EndpointStatus, WebhookEndpoint, WebhookReplay } from './webhook-endpoint';
import type { LoggedDelivery } from './webhook-delivery';

/** What a client changes of an endpoint. */
export type EndpointChange = Partial<EndpointFields> & { status?: EndpointStatus };

/** The endpoints of accounts, and the log of what was delivered to them. Every method joins the surrounding unit of work. */
export abstract class WebhookEndpointStore {
  /** Adds an enabled endpoint, unless the account has `limit` of them: whether it did. */
  abstract add(
    endpoint: Pick<WebhookEndpoint, 'id' | 'accountId'> & EndpointFields,
    secret: string,
    limit: number,
  ): Promise<boolean>;
  /** Newest first. */
  abstract page(accountId: string, page: PageRequest): Promise<Page<WebhookEndpoint>>;
  /** The endpoint; null if the account has none with this id. */
  abstract find(accountId: string, id: string): Promise<WebhookEndpoint | null>;
  /** Changes what is given. Enabling forgets the failures before. False if the account has none with this id. */
  abstract change(accountId: string, id: string, change: EndpointChange): Promise<boolean>;
  /** Sets a new secret; the one before stays valid for `overlapSeconds`, if that is not 0. False as in `change`. */
  abstract replaceSecret(accountId: string, id: string, secret: string, overlapSeconds: number): Promise<boolean>;
  /** Deletes the endpoint; false as in `change`. What waited for it is never delivered. */
  abstract remove(accountId: string, id: string): Promise<boolean>;
  /** Its secrets that are valid now, the newest first. */
  abstract secretsOf(id: string): Promise<string[]>;
  /** Attempts of the endpoint, newest first. */
  abstract deliveries(endpointId: string, range: SliceRequest): Promise<Slice<LoggedDelivery>>;
  /** One attempt to an endpoint of the account; null if there is none. */
  abstract delivery(accountId: string, id: string): Promise<LoggedDelivery | null>;
  /**
   * Delivers the body of a logged attempt once more, under the same webhook-id, unless it waits already. False if the body is no
   * longer kept.
   */
  abstract replay(deliveryId: string): Promise<boolean>;
  /**
   * Requests that each event is delivered again that was first delivered, or given up, from `since` on, by the database's clock: at
   * most `perSecond` bodies a second. Null: a replay of the endpoint is under way.
   */
  abstract startReplay(endpointId: string, since: Date, perSecond: number): Promise<WebhookReplay | null>;
}
