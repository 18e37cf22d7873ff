import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { type ResealedSecrets, Resealing } from '../../../infra/secrets/resealing';
import { SecretBox } from '../../../infra/secrets/secret-box';
import type { DisabledReason, EndpointStatus } from '../domain/webhook-endpoint';

/** The secrets of an endpoint as they are stored. */
export interface SealedSecrets {
  secret: string;
  previousSecret: string | null;
}

interface Row extends SealedSecrets {
  id: string;
  accountId: string;
  status: EndpointStatus;
}

/** $1 the id after which to begin, $2 how many. */
const NEXT = `
SELECT id, account_id AS "accountId", secret_encrypted AS secret, previous_secret_encrypted AS "previousSecret", status
FROM webhook_endpoints WHERE id > $1 ORDER BY id LIMIT $2`;

/** Whichever of the two it is, and only where nobody has changed it since it was read: $1 id, $2 what it was, $3 what it is now. */
const REPLACE = `
UPDATE webhook_endpoints SET secret_encrypted = CASE WHEN secret_encrypted = $2 THEN $3 ELSE secret_encrypted END,
  previous_secret_encrypted = CASE WHEN previous_secret_encrypted = $2 THEN $3 ELSE previous_secret_encrypted END
WHERE id = $1 AND $2 IN (secret_encrypted, previous_secret_encrypted)`;

/** Without its secret an endpoint can only be disabled. */
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

  /** Called by the framework before any request: a secret that cannot be decrypted fails the start, not the first delivery. */
  async onModuleInit(): Promise<void> {
    for await (const { id, secret, status } of this.all()) {
      if (status === 'Enabled') this.box.open(secret, purposeOf(id));
    }
  }

  /** Encrypts the secret of an endpoint: copied to another one, it cannot be decrypted. */
  seal(endpointId: string, secret: string): string {
    return this.box.seal(secret, purposeOf(endpointId));
  }

  /** The secrets, the newest first; without those that no key decrypts. */
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
        await resealing.take({
          accountId,
          sealed,
          purpose: purposeOf(id),
          replace: (anew) => this.database.execute(REPLACE, [id, sealed, anew]),
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
