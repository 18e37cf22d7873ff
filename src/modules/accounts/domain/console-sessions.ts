import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { Caller } from '../../../kernel/caller';
import { GroupCommit } from '../../../kernel/group-commit';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { KeyProof } from './api-key';
import { AuditLogService } from './audit-log.service';
import {
  type ConsoleSession,
  expiryOf,
  isOpen,
  generateSessionToken,
  MAX_SESSIONS_PER_KEY,
  SESSION_IDLE_MS,
  SESSION_KEPT_MS,
  tokenHashOf,
  USE_RECORD_INTERVAL_MS,
} from './console-session';
import { ConsoleSessionStore } from './console-session-store.port';
import { type Authenticated, CHECK_BATCHES, type KeyEnd, KeyAuthentication } from './key-authentication';

/** The holder of a session; `sessionId`: the hash of its token in hex. */
export interface SignedIn extends Authenticated {
  sessionId: string;
}

/** Why a session ended; `unknown`: it was signed out, displaced by later ones, or ended long ago. */
export type SessionEnd = KeyEnd | 'idle' | 'too_old' | 'unknown';

/** A session that was open within this time does not count as a failed attempt. */
const RECENT_MS = 600_000;
const MAX_RECENT_SESSIONS = 10_000;
/** Sessions removed per statement. */
const REMOVAL_BATCH = 1_000;

/**
 * Console sessions in the browser. A session has the rights of the key that opened it. The key is read from the store for each
 * request, so changes of the key or its account apply immediately in every process.
 */
@Injectable()
export class ConsoleSessions {
  /** When each session was last open in this process, by the hash of its token in hex. */
  private readonly recent = new Map<string, number>();
  private readonly checks: GroupCommit<Buffer, ConsoleSession | null>;

  constructor(
    private readonly store: ConsoleSessionStore,
    private readonly authentication: KeyAuthentication,
    private readonly audit: AuditLogService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {
    this.checks = new GroupCommit((tokenHashes) => store.findAll(tokenHashes), { ...CHECK_BATCHES, clock });
  }

  /** Opens a session for the caller, whose key was proved with `proof`; returns the token. */
  async open(caller: Caller, { prefix }: KeyProof): Promise<string> {
    const token = generateSessionToken();
    const now = this.clock.now();
    const session = { keyId: caller.keyId, keyPrefix: prefix, createdAt: now, lastUsedAt: now };
    await this.unitOfWork.run(async () => {
      await this.audit.record(caller, { action: 'console.signed_in', targetId: caller.keyId });
      await this.store.add({ ...session, tokenHash: tokenHashOf(token)! }, MAX_SESSIONS_PER_KEY);
    });
    return token;
  }

  /** Uses the session and returns its holder; null if the session has expired, or its key is no longer valid or not allowed from the client's address. */
  async resume(token: string, allows: (ranges: readonly string[]) => boolean): Promise<SignedIn | null> {
    const found = await this.find(token, allows);
    if (!found) return this.forget(tokenHashOf(token));
    const { session, holder } = found;
    const now = this.clock.now();
    if (now.getTime() - session.lastUsedAt.getTime() >= USE_RECORD_INTERVAL_MS) {
      await this.store.markUsed(session.tokenHash, now);
    }
    const sessionId = session.tokenHash.toString('hex');
    this.remember(sessionId);
    return { ...holder, sessionId };
  }

  /** Why `resume` returns null. */
  async endOf(token: string, allows: (ranges: readonly string[]) => boolean): Promise<SessionEnd> {
    const tokenHash = tokenHashOf(token);
    const session = tokenHash && (await this.store.find(tokenHash));
    if (!session) return 'unknown';
    const expiry = expiryOf(session, this.clock.now());
    return expiry ?? (await this.authentication.endOf(session.keyPrefix, session.keyId, allows)) ?? 'unknown';
  }

  /** Like `resume` without recording a use, so that streams do not keep the session open; concurrent calls share one read. */
  async holderOf(token: string, allows: (ranges: readonly string[]) => boolean): Promise<Authenticated | null> {
    const tokenHash = tokenHashOf(token);
    const session = tokenHash && (await this.checks.submit(tokenHash));
    if (!session || !isOpen(session, this.clock.now())) return null;
    return this.authentication.holderOfBatched(session.keyPrefix, session.keyId, allows);
  }

  /** Ends the session; returns false if there is none. Audited if the session was open and its key is still valid. */
  async end(token: string, address: string | undefined): Promise<boolean> {
    const tokenHash = tokenHashOf(token);
    if (!tokenHash) return false;
    this.forget(tokenHash);
    return this.unitOfWork.run(async () => {
      const session = await this.store.remove(tokenHash);
      if (!session) return false;
      if (!isOpen(session, this.clock.now())) return true;
      const holder = await this.authentication.holderOf(session.keyPrefix, session.keyId, () => true);
      const action = { action: 'console.signed_out', targetId: session.keyId } as const;
      if (holder) await this.audit.record({ ...holder.caller, address }, action);
      return true;
    });
  }

  /** Whether the session was open in this process in the last ten minutes; does not query the store. */
  wasRecentlyOpen(token: string): boolean {
    const openAt = this.recent.get(tokenHashOf(token)?.toString('hex') ?? '');
    return openAt !== undefined && this.clock.monotonic() - openAt < RECENT_MS;
  }

  /** Removes the sessions that expired more than a day ago. */
  async clean(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - SESSION_IDLE_MS - SESSION_KEPT_MS);
    while ((await this.store.removeUnused(before, REMOVAL_BATCH)) === REMOVAL_BATCH);
  }

  private async find(token: string, allows: (ranges: readonly string[]) => boolean) {
    const tokenHash = tokenHashOf(token);
    const session = tokenHash && (await this.store.find(tokenHash));
    if (!session || !isOpen(session, this.clock.now())) return null;
    const holder = await this.authentication.holderOf(session.keyPrefix, session.keyId, allows);
    return holder && { session, holder };
  }

  private remember(sessionId: string): void {
    // Deleted and set again to order the map by use.
    this.recent.delete(sessionId);
    this.recent.set(sessionId, this.clock.monotonic());
    const [oldest] = this.recent.keys();
    if (this.recent.size > MAX_RECENT_SESSIONS && oldest !== undefined) this.recent.delete(oldest);
  }

  private forget(tokenHash: Buffer | null): null {
    if (tokenHash) this.recent.delete(tokenHash.toString('hex'));
    return null;
  }
}
