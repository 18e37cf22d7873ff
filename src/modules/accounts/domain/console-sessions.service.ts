import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { Caller } from '../../../kernel/caller';
import { GroupCommit } from '../../../kernel/group-commit';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { KeyProof } from './api-key';
import { AuditLogService } from './audit-log.service';
import {
  type ConsoleSession,
  isOpen,
  makeSessionToken,
  MAX_SESSIONS_OF_KEY,
  SESSION_IDLE_MS,
  tokenHashOf,
  USE_NOTED_EVERY_MS,
} from './console-session';
import { ConsoleSessionStore } from './console-session-store.port';
import { type Authenticated, CHECKED_TOGETHER, KeyAuthentication } from './key-authentication.service';

/** The holder of a session, with its name in memory: the hash of its token in hex. */
export interface SignedIn extends Authenticated {
  sessionId: string;
}

/** A session that was open within this time is not counted as a failed attempt. */
const REMEMBERED_MS = 600_000;
const MOST_REMEMBERED = 10_000;
/** Sessions that one statement removes. */
const REMOVED_AT_ONCE = 1_000;

/**
 * Sessions of the console in the browser. Each stands for the key that it was opened with, which is read from the store for each
 * request: what happens to the key or its account applies at once, in every process.
 */
@Injectable()
export class ConsoleSessions {
  /** By the hash of the token in hex: when the session was last open in this process. */
  private readonly seen = new Map<string, number>();
  private readonly checks: GroupCommit<Buffer, ConsoleSession | null>;

  constructor(
    private readonly store: ConsoleSessionStore,
    private readonly authentication: KeyAuthentication,
    private readonly audit: AuditLogService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {
    this.checks = new GroupCommit((tokenHashes) => store.findAll(tokenHashes), { ...CHECKED_TOGETHER, clock });
  }

  /** Opens a session for the caller, whose key was proved with `proof`; returns the token. */
  async open(caller: Caller, { prefix }: KeyProof): Promise<string> {
    const token = makeSessionToken();
    const now = this.clock.now();
    const session = { keyId: caller.keyId, keyPrefix: prefix, createdAt: now, lastUsedAt: now };
    await this.unitOfWork.run(async () => {
      await this.audit.record(caller, { action: 'console.signed_in', targetId: caller.keyId });
      await this.store.add({ ...session, tokenHash: tokenHashOf(token)! }, MAX_SESSIONS_OF_KEY);
    });
    return token;
  }

  /** The holder of the session, which is used; null if it is over, or its key is no longer valid or not allowed from the client's address. */
  async resume(token: string, allows: (ranges: readonly string[]) => boolean): Promise<SignedIn | null> {
    const found = await this.find(token, allows);
    if (!found) return this.forgotten(tokenHashOf(token));
    const { session, holder } = found;
    const now = this.clock.now();
    if (now.getTime() - session.lastUsedAt.getTime() >= USE_NOTED_EVERY_MS) {
      await this.store.markUsed(session.tokenHash, now);
    }
    const sessionId = session.tokenHash.toString('hex');
    this.remember(sessionId);
    return { ...holder, sessionId };
  }

  /** The same without a use, so that what lasts does not keep the session open; one read serves all who ask at once. */
  async holderOf(token: string, allows: (ranges: readonly string[]) => boolean): Promise<Authenticated | null> {
    const tokenHash = tokenHashOf(token);
    const session = tokenHash && (await this.checks.submit(tokenHash));
    if (!session || !isOpen(session, this.clock.now())) return null;
    return this.authentication.stillHolderOf(session.keyPrefix, session.keyId, allows);
  }

  /** Ends the session; false if there is none. It is recorded where the session was open and its key is still valid. */
  async end(token: string, address: string | undefined): Promise<boolean> {
    const tokenHash = tokenHashOf(token);
    if (!tokenHash) return false;
    this.forgotten(tokenHash);
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
  wasOpen(token: string): boolean {
    const seenAt = this.seen.get(tokenHashOf(token)?.toString('hex') ?? '');
    return seenAt !== undefined && this.clock.monotonic() - seenAt < REMEMBERED_MS;
  }

  /** Removes all sessions that are over. */
  async clean(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - SESSION_IDLE_MS);
    while ((await this.store.removeUnused(before, REMOVED_AT_ONCE)) === REMOVED_AT_ONCE);
  }

  private async find(token: string, allows: (ranges: readonly string[]) => boolean) {
    const tokenHash = tokenHashOf(token);
    const session = tokenHash && (await this.store.find(tokenHash));
    if (!session || !isOpen(session, this.clock.now())) return null;
    const holder = await this.authentication.holderOf(session.keyPrefix, session.keyId, allows);
    return holder && { session, holder };
  }

  private remember(sessionId: string): void {
    // Deleted and set again, so that the map is ordered by use.
    this.seen.delete(sessionId);
    this.seen.set(sessionId, this.clock.monotonic());
    const [oldest] = this.seen.keys();
    if (this.seen.size > MOST_REMEMBERED && oldest !== undefined) this.seen.delete(oldest);
  }

  private forgotten(tokenHash: Buffer | null): null {
    if (tokenHash) this.seen.delete(tokenHash.toString('hex'));
    return null;
  }
}
