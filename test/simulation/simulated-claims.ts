import type { Claims } from './people-stores';
import type { ProcessDatabase } from './process-database';

/** The claim was taken over by a repeated request. */
export class ClaimLostError extends Error {}

/** Idempotency keys, statement by statement like the SQL of the real store. */
export function claimsOn(database: ProcessDatabase): Claims {
  const { claims } = database.server;
  return async (key, resourceId) => {
    const token = await database.statement('CLAIM_KEY', async (transaction) => {
      const row = claims.row(key);
      const wait = database.server.lock(transaction, row);
      if (wait) await wait;
      const known = row.seenBy(transaction);
      if (known?.isSealed) return null;
      const claim = { token: (known?.token ?? 0) + 1, isSealed: false };
      transaction.writes.set(row, claim);
      return claim.token;
    });
    if (token === null) return null;
    const seal = async (): Promise<void> => {
      const sealed = await database.statement('SEAL_CLAIM', (transaction) =>
        database.server.update(
          ...([transaction, [claims.row(key)], (claim: { token: number }) => claim.token === token] as const),
          () => ({ isSealed: true }),
        ),
      );
      if (sealed.length === 0) throw new ClaimLostError(`Another request has taken over ${key}`);
    };
    return { resourceId, isKeyed: true, seal };
  };
}
