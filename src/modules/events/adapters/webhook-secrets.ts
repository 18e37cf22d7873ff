import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { type ResealedSecrets, Resealing } from '../../../infra/secrets/resealing';
import { SecretBox } from '../../../infra/secrets/secret-box';
import type { DisabledReason, EndpointStatus } from '../domain/webhook-endpoint';

/** The stored secrets of an endpoint. */
export interface SealedSecrets {
  secret: string;
  previousSecret: string | null;
}

interface Row extends SealedSecrets {
  id: string;
  accountId: string;
  status: EndpointStatus;
}

/** $1 last id read, $2 limit. */
const NEXT = `
SELECT id, account_id AS "accountId", secret_encrypted AS secret, previous_secret_encrypted AS "previousSecret", status
FROM webhook_endpoints WHERE id > $1 ORDER BY id LIMIT $2`;

/** Replaces either secret if it is unchanged since it was read: $1 id, $2 old value, $3 new value. */
const REPLACE = `
UPDATE webhook_endpoints SET secret_encrypted = CASE WHEN secret_encrypted = $2 THEN $3 ELSE secret_encrypted END,
  previous_secret_encrypted = CASE WHEN previous_secret_encrypted = $2 THEN $3 ELSE previous_secret_encrypted END
WHERE id = $1 AND $2 IN (secret_encrypted, previous_secret_encrypted)`;

/** Disables an endpoint without a readable secret. */
const DISCARD = `
UPDATE webhook_endpoints SET previous_secret_encrypted = NULL, status = 'Disabled', disabled_reason = $2 WHERE id = $1`;

const BATCH = 100;

/** The encrypted secrets of webhook endpoints. */
@Injectable()
export class WebhookSecrets {
  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
  ) {}

  /** Called by the framework before any request: an undecryptable secret fails the start instead of the first delivery. */
  async onModuleInit(): Promise<void> {
    for await (const { id, secret, status } of this.all()) {
      if (status === 'Enabled') this.box.open(secret, purposeOf(id));
    }
  }

  /** Encrypts a secret for one endpoint: copied to another one, it cannot be decrypted. */
  seal(endpointId: string, secret: string): string {
    return this.box.seal(secret, purposeOf(endpointId));
  }

  /** The decrypted secrets, newest first, without undecryptable ones. */
  open(endpointId: string, { secret, previousSecret }: SealedSecrets): string[] {
    const sealed = [secret, previousSecret].filter((one) => one !== null);
    return sealed.flatMap((one) => this.box.openOrNull(one, purposeOf(endpointId)) ?? []);
  }

  /**
   * Encrypts every secret with the current key, in batches, also while the service runs. `discardUnreadable`: disables endpoints with a
   * secret that no key decrypts.
   */
  async reseal(discardUnreadable: boolean): Promise<ResealedSecrets> {
    const resealing = new Resealing(this.box, discardUnreadable);
    for await (const { id, accountId, secret, previousSecret } of this.all()) {
      for (const sealed of [secret, previousSecret].filter((one) => one !== null)) {
        await resealing.reseal({
          accountId,
          sealed,
          purpose: purposeOf(id),
          replace: (resealed) => this.database.execute(REPLACE, [id, sealed, resealed]),
          discard: () => this.database.execute(DISCARD, [id, 'secret_unreadable' satisfies DisabledReason]),
        });
      }
    }
    return resealing.result;
  }

  /** Endpoints in the order of their ids, read in batches. */
  private async *all(): AsyncGenerator<Row> {
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const rows = await this.database.rows<Row>(NEXT, [after, BATCH]);
      yield* rows;
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) return;
      after = last.id;
    }
  }
}

function purposeOf(endpointId: string): string {
  return `webhook endpoint ${endpointId} secret`;
}
