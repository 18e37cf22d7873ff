import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../kernel/caller';
import { Clock } from '../../../kernel/clock';
import type { AccountStatus } from './account';
import { proofOf } from './api-key';
import { ApiKeyStore, type StoredKey } from './api-key-store.port';
import { RecentValues } from './recent-values';

/** Who came with a valid key. */
export interface Authenticated {
  caller: Caller;
  accountStatus: AccountStatus;
}

/** A revoked key works for at most that long in the processes that did not revoke it. */
const MAX_AGE_MS = 1_500;
const USE_NOTED_EVERY_MS = 60_000;
const REMEMBERED_MS = 600_000;
const LONGEST_KEY = 256;

/** Tells whose key a request carries. */
@Injectable()
export class KeyAuthentication {
  private readonly recent: RecentValues<StoredKey | null>;
  /** By hash: when the key was last valid, and when its use was last noted. */
  private readonly uses = new Map<string, { validAt: number; notedAt: number }>();

  constructor(
    private readonly store: ApiKeyStore,
    private readonly clock: Clock,
  ) {
    this.recent = new RecentValues(clock, MAX_AGE_MS);
  }

  /** Who the key belongs to; null where it is unknown, revoked or expired, or where its ranges of addresses do not allow the client. */
  async authenticate(presented: string, allows: (ranges: readonly string[]) => boolean): Promise<Authenticated | null> {
    if (presented.length > LONGEST_KEY) return null;
    const { prefix, secretHash } = proofOf(presented);
    const hash = secretHash.toString('hex');
    const stored = await this.recent.get(hash, () => this.store.byPrefix(prefix));
    if (!stored || !timingSafeEqual(stored.secretHash, secretHash)) {
      // A key that is made a moment later must work at once.
      this.recent.forget(hash);
      this.uses.delete(hash);
      return null;
    }
    const { key, plan, accountStatus } = stored;
    if (key.expiresAt && key.expiresAt <= this.clock.now()) return null;
    if (!allows(key.allowedIps)) return null;
    this.noteUse(hash, key.id);
    const caller = { accountId: key.accountId, keyId: key.id, keyPrefix: key.prefix, plan, scopes: key.scopes };
    return { caller, accountStatus };
  }

  /** Whether this process saw the key valid in the last ten minutes; asks no store. */
  wasValid(presented: string): boolean {
    const use = this.uses.get(proofOf(presented).secretHash.toString('hex'));
    return use !== undefined && this.clock.monotonic() - use.validAt < REMEMBERED_MS;
  }

  /** To be called after a change of keys or accounts: the next request of each key asks the store. */
  forget(): void {
    this.recent.forgetAll();
  }

  private noteUse(hash: string, keyId: string): void {
    const now = this.clock.monotonic();
    const use = this.uses.get(hash) ?? { validAt: now, notedAt: -Infinity };
    use.validAt = now;
    this.uses.set(hash, use);
    if (now - use.notedAt < USE_NOTED_EVERY_MS) return;
    use.notedAt = now;
    // Not awaited: no request waits for it, and one that fails is noted a minute later.
    this.store.markUsed(keyId, this.clock.now()).catch(() => undefined);
  }
}
