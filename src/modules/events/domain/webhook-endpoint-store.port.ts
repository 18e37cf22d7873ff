import type { Page, PageRequest, Slice, SliceRequest } from '../../../kernel/page';
import type { EndpointFields, EndpointStatus, WebhookEndpoint, WebhookReplay } from './webhook-endpoint';
import type { DeliveryStatus, LoggedDelivery } from './webhook-delivery';

/** A change of an endpoint by a client. */
export type EndpointChange = Partial<EndpointFields> & { status?: EndpointStatus };

/** A part of the delivery log of an endpoint; `status`: only attempts with this result. */
export interface DeliveriesRequest extends SliceRequest {
  status?: DeliveryStatus;
}

/** The endpoints of accounts and their delivery log. Every method joins the surrounding unit of work. */
export abstract class WebhookEndpointStore {
  /** Adds an enabled endpoint unless the account has `limit` of them; returns whether it did. */
  abstract add(
    endpoint: Pick<WebhookEndpoint, 'id' | 'accountId'> & EndpointFields,
    secret: string,
    limit: number,
  ): Promise<boolean>;
  /** Newest first. */
  abstract page(accountId: string, page: PageRequest): Promise<Page<WebhookEndpoint>>;
  /** The endpoint; null if the account has none with this id. */
  abstract find(accountId: string, id: string): Promise<WebhookEndpoint | null>;
  /** Changes the given fields. Enabling resets the failures. Returns false if the account has none with this id. */
  abstract change(accountId: string, id: string, change: EndpointChange): Promise<boolean>;
  /** Sets a new secret; the previous one stays valid for `overlapSeconds`. Returns false as in `change`. */
  abstract replaceSecret(accountId: string, id: string, secret: string, overlapSeconds: number): Promise<boolean>;
  /** Deletes the endpoint; waiting events are never delivered. Returns false as in `change`. */
  abstract remove(accountId: string, id: string): Promise<boolean>;
  /** Its currently valid secrets, newest first. */
  abstract secretsOf(id: string): Promise<string[]>;
  /** Attempts of the endpoint, newest first. */
  abstract deliveries(endpointId: string, request: DeliveriesRequest): Promise<Slice<LoggedDelivery>>;
  /** One attempt to an endpoint of the account; null if there is none. */
  abstract delivery(accountId: string, id: string): Promise<LoggedDelivery | null>;
  /**
   * Redelivers the body of a logged attempt under the same webhook-id, unless it is already waiting. Returns false if the body is no
   * longer kept.
   */
  abstract replay(deliveryId: string): Promise<boolean>;
  /**
   * Requests the redelivery of all events first delivered or finally failed since `since`, by the database's clock, at most `perSecond`
   * bodies per second. Null: a replay of the endpoint is running.
   */
  abstract startReplay(endpointId: string, since: Date, perSecond: number): Promise<WebhookReplay | null>;
}
