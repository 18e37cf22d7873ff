import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { lowestUuidAt } from '../../../kernel/uuid';
import type { Page, PageRequest, Slice } from '../../../kernel/page';
import type { LoggedDelivery } from '../domain/webhook-delivery';
import type { EndpointFields, WebhookEndpoint, WebhookReplay } from '../domain/webhook-endpoint';
import {
  type DeliveriesRequest,
  type EndpointChange,
  WebhookEndpointStore,
} from '../domain/webhook-endpoint-store.port';
import { type SealedSecrets, WebhookSecrets } from './webhook-secrets';
import { REPLAY, START_REPLAY } from './webhook-replays.sql';
import * as sql from './webhooks.sql';

/** After every id. */
const START = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Ids of attempts contain the time of the process that created them, which may differ from the database's by this much. */
const MAX_CLOCK_DIFFERENCE_MS = 3_600_000;

type EndpointRow = Omit<WebhookEndpoint, 'replay'> & {
  replaySince: Date | null;
  replayStartedAt: Date;
  replayed: number;
};

/** The tables `webhook_endpoints`, `webhook_deliveries` and `webhook_bodies`. */
@Injectable()
export class PostgresWebhookEndpointStore extends WebhookEndpointStore {
  constructor(
    private readonly database: Database,
    private readonly secrets: WebhookSecrets,
  ) {
    super();
  }

  add(
    { id, accountId, url, events, maxEvents }: Pick<WebhookEndpoint, 'id' | 'accountId'> & EndpointFields,
    secret: string,
    limit: number,
  ): Promise<boolean> {
    const sealed = this.secrets.seal(id, secret);
    return this.database.transaction(async () => {
      await this.database.execute(sql.LOCK_ACCOUNT, [accountId]);
      return this.changes(sql.INSERT_ENDPOINT, [id, accountId, url, events, maxEvents, sealed, limit]);
    });
  }

  async page(accountId: string, { page, pageSize }: PageRequest): Promise<Page<WebhookEndpoint>> {
    const [count] = await this.database.rows<{ total: number }>(
      'SELECT count(*)::int AS total FROM webhook_endpoints WHERE account_id = $1',
      [accountId],
    );
    const items = await this.database.rows<EndpointRow>(
      `${sql.ENDPOINT} WHERE e.account_id = $1 ORDER BY e.created_at DESC, e.id DESC LIMIT $2 OFFSET $3`,
      [accountId, pageSize, (page - 1) * pageSize],
    );
    return { items: items.map(endpointOf), page, pageSize, totalCount: count?.total ?? 0 };
  }

  async find(accountId: string, id: string): Promise<WebhookEndpoint | null> {
    const parameters = [accountId, id];
    const [row] = await this.database.rows<EndpointRow>(
      `${sql.ENDPOINT} WHERE e.account_id = $1 AND e.id = $2`,
      parameters,
    );
    return row ? endpointOf(row) : null;
  }

  change(accountId: string, id: string, { url, events, maxEvents, status }: EndpointChange): Promise<boolean> {
    const given = [url, events, maxEvents, status].map((value) => value ?? null);
    return this.changes(sql.CHANGE_ENDPOINT, [accountId, id, ...given]);
  }

  replaceSecret(accountId: string, id: string, secret: string, overlapSeconds: number): Promise<boolean> {
    return this.changes(sql.REPLACE_SECRET, [accountId, id, this.secrets.seal(id, secret), overlapSeconds]);
  }

  remove(accountId: string, id: string): Promise<boolean> {
    return this.changes('DELETE FROM webhook_endpoints WHERE account_id = $1 AND id = $2', [accountId, id]);
  }

  async secretsOf(id: string): Promise<string[]> {
    const [row] = await this.database.rows<SealedSecrets>(sql.SECRETS, [id]);
    return row ? this.secrets.open(id, row) : [];
  }

  async deliveries(endpointId: string, { cursor, limit, status }: DeliveriesRequest): Promise<Slice<LoggedDelivery>> {
    const statement = status ? sql.DELIVERIES_WITH[status] : sql.DELIVERIES;
    const found = await this.database.rows<LoggedDelivery>(statement, [endpointId, cursor ?? START, limit + 1]);
    const items = found.slice(0, limit);
    return { items, nextCursor: found.length > limit ? items.at(-1)!.id : null };
  }

  async delivery(accountId: string, id: string): Promise<LoggedDelivery | null> {
    return (await this.database.rows<LoggedDelivery>(sql.DELIVERY_OF, [accountId, id]))[0] ?? null;
  }

  async replay(deliveryId: string): Promise<boolean> {
    return (await this.database.rows(REPLAY, [deliveryId])).length > 0;
  }

  async startReplay(endpointId: string, since: Date, perSecond: number): Promise<WebhookReplay | null> {
    const firstId = lowestUuidAt(new Date(since.getTime() - MAX_CLOCK_DIFFERENCE_MS));
    const [row] = await this.database.rows<WebhookReplay>(START_REPLAY, [endpointId, since, firstId, perSecond]);
    return row ?? null;
  }

  private async changes(statement: string, parameters: unknown[]): Promise<boolean> {
    return (await this.database.execute(statement, parameters)).affected > 0;
  }
}

function endpointOf({
  replaySince: since,
  replayStartedAt: startedAt,
  replayed,
  ...endpoint
}: EndpointRow): WebhookEndpoint {
  return { ...endpoint, replay: since === null ? null : { since, startedAt, replayed } };
}
