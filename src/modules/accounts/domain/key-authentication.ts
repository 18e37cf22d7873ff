import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../kernel/caller';
import { Clock } from '../../../kernel/clock';
import { GroupCommit } from '../../../kernel/group-commit';
import type { AccountStatus } from './account';
import type { KeyProof } from './api-key';
import { ApiKeyStore, type StoredKey } from './api-key-store.port';
import { RecentValues } from './recent-values';

/** The holder of a valid key. */
export interface Authenticated {
  caller: Caller;
  accountStatus: AccountStatus;
}

/** Why a secret that was valid before no longer is. */
export type KeyEnd = 'key_revoked' | 'key_expired' | 'secret_rotated' | 'address_not_allowed';

/** A key revoked by another process stays valid here for at most this time. */
const MAX_AGE_MS = 1_500;
const USE_RECORD_INTERVAL_MS = 60_000;
const RECENT_MS = 600_000;

/** Concurrent checks share one statement. */
export const CHECK_BATCHES = { maxItems: 1_000, gatherMs: 0 };

/** Authenticates API keys. */
@Injectable()
export class KeyAuthentication {
  private readonly recent: RecentValues<StoredKey | null>;
  private readonly checks: GroupCommit<string, StoredKey | null>;
  /** By hash, or by the key's id for sessions: when the key was last valid, and when its use was last recorded. */
  private readonly uses = new Map<string, { validAt: number; recordedAt: number }>();

  constructor(
    private readonly store: ApiKeyStore,
    private readonly clock: Clock,
  ) {
    this.recent = new RecentValues(clock, MAX_AGE_MS);
    this.checks = new GroupCommit((prefixes) => store.byPrefixes(prefixes), { ...CHECK_BATCHES, clock });
  }

  /** The holder of the key; null if the key is unknown, revoked, expired, or not allowed from the client's address. */
  async authenticate(
    { prefix, secretHash }: KeyProof,
    allows: (ranges: readonly string[]) => boolean,
  ): Promise<Authenticated | null> {
    const hash = secretHash.toString('hex');
    const stored = await this.recent.get(hash, () => this.store.byPrefix(prefix));
    if (!stored || !timingSafeEqual(stored.secretHash, secretHash)) {
      // Unknown keys are not cached: a key must work as soon as it has been created.
      this.recent.forget(hash);
      this.uses.delete(hash);
      return null;
    }
    const holder = this.holder(stored, allows);
    if (holder) this.recordUse(hash, stored.key.id);
    return holder;
  }

  /**
   * The holder of the key whose secret has this prefix, read from the store; null if it is another key, or that secret is no longer
   * valid or not allowed from the client's address. Only for callers who have proved the secret before.
   */
  async holderOf(
    prefix: string,
    keyId: string,
    allows: (ranges: readonly string[]) => boolean,
  ): Promise<Authenticated | null> {
    return this.holderWithId(keyId, await this.store.byPrefix(prefix), allows);
  }

  /** Why `holderOf` returns null. */
  async endOf(prefix: string, keyId: string, allows: (ranges: readonly string[]) => boolean): Promise<KeyEnd | null> {
    const stored = await this.store.byPrefix(prefix);
    return stored?.key.id === keyId ? this.end(stored, allows) : 'key_revoked';
  }

  /** Like `holderOf`, for many concurrent callers such as streams, which share one read. */
  async holderOfBatched(
    prefix: string,
    keyId: string,
    allows: (ranges: readonly string[]) => boolean,
  ): Promise<Authenticated | null> {
    return this.holderWithId(keyId, await this.checks.submit(prefix), allows);
  }

  /** Whether the key was valid in this process in the last ten minutes; does not query the store. */
  wasRecentlyValid({ secretHash }: KeyProof): boolean {
    const use = this.uses.get(secretHash.toString('hex'));
    return use !== undefined && this.clock.monotonic() - use.validAt < RECENT_MS;
  }

  /** Must be called after a change of keys or accounts: the next request of each key queries the store. */
  forget(): void {
    this.recent.forgetAll();
  }

  private holderWithId(
    keyId: string,
    stored: StoredKey | null,
    allows: (ranges: readonly string[]) => boolean,
  ): Authenticated | null {
    const holder = stored?.key.id === keyId ? this.holder(stored, allows) : null;
    if (holder) this.recordUse(keyId, keyId);
    return holder;
  }

  private end(stored: StoredKey, allows: (ranges: readonly string[]) => boolean): KeyEnd | null {
    const { key, secretValidUntil, accountStatus } = stored;
    if (accountStatus === 'Deleting') return 'key_revoked';
    if (secretValidUntil && secretValidUntil <= this.clock.now()) return 'secret_rotated';
    if (key.expiresAt && key.expiresAt <= this.clock.now()) return 'key_expired';
    return allows(key.allowedIps) ? null : 'address_not_allowed';
  }

  private holder(stored: StoredKey, allows: (ranges: readonly string[]) => boolean): Authenticated | null {
    if (this.end(stored, allows) !== null) return null;
    const { key, plan, accountStatus } = stored;
    const caller = { accountId: key.accountId, keyId: key.id, keyPrefix: key.prefix, plan, scopes: key.scopes };
    return { caller, accountStatus };
  }

  private recordUse(hash: string, keyId: string): void {
    const now = this.clock.monotonic();
    const use = this.uses.get(hash) ?? { validAt: now, recordedAt: -Infinity };
    use.validAt = now;
    this.uses.set(hash, use);
    if (now - use.recordedAt < USE_RECORD_INTERVAL_MS) return;
    use.recordedAt = now;
    // Not awaited: requests must not wait for it, and a failed update is repeated a minute later.
    this.store.markUsed(keyId, this.clock.now()).catch(() => undefined);
  }
}
