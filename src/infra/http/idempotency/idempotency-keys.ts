import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { type CreationClaim, freshClaim } from '../../../kernel/creation-claim';
import { DomainError } from '../../../kernel/domain-error';
import { uuidV7 } from '../../../kernel/uuid';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { Database } from '../../database/database';
import type { Answer } from '../answer';
import { answerToDomainError } from '../error-answer';
import {
  ABANDON,
  CLAIM,
  CLEAN,
  FORGET,
  HOLDER,
  KEEP,
  LEASE_SECONDS,
  RELEASE,
  RENEW,
  TAKE_OVER,
} from './idempotency-claims.sql';
import { IdempotencyInProgressError, IdempotencyLostError, IdempotencyMismatchError } from './idempotency.errors';

/** A request that may have a key. */
export interface IdempotentRequest {
  accountId: string;
  /** Method and path: a key is unique per account and endpoint. */
  endpoint: string;
  key: string | undefined;
  /** SHA-256 of the content that identifies the request; called only if there is a key. */
  fingerprint: () => Promise<Buffer>;
}

/** The result of a request that may have a key. */
export interface IdempotentOutcome {
  answer: Answer;
  /** The answer belongs to an earlier request; this one did nothing. */
  replayed: boolean;
}

interface Holder {
  fingerprint: Buffer;
  token: string;
  resourceId: string;
  answerStatus: number | null;
  answer: { body: object; headers?: Record<string, string> | null } | null;
  secondsLeft: number;
}

/** The primary key of a row. */
type RowKey = readonly [accountId: string, endpoint: string, key: string];

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;
const RENEW_EVERY_MS = (LEASE_SECONDS * 1000) / 4;

/** Executes requests with the same key only once within 24 hours, across crashes and several processes. */
@Injectable()
export class IdempotencyKeys {
  private readonly logger = new Logger(IdempotencyKeys.name);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs `work` while it holds the claim of the key, or returns the answer of an earlier request. Must be called outside a
   * transaction. Stores answers 201 and 202 and errors with `keepAnswer`; every other answer frees the key. If an earlier
   * claim expired without an answer, `presentState` returns the answer for its resource, or null if it created none: then
   * the key is free.
   */
  async run(
    request: IdempotentRequest,
    work: (claim: CreationClaim) => Promise<Answer>,
    presentState: (resourceId: string) => Promise<Answer | null>,
  ): Promise<IdempotentOutcome> {
    if (request.key === undefined) {
      const answer = await work(freshClaim(this.clock.now()));
      return { answer, replayed: false };
    }
    if (!PRINTABLE.test(request.key)) throw badKey();
    const rowKey: RowKey = [request.accountId, request.endpoint, request.key];
    const claimed = await this.claim(rowKey, await request.fingerprint(), presentState);
    if ('answer' in claimed) return { answer: claimed.answer, replayed: true };
    return { answer: await this.workUnder(claimed, rowKey, work), replayed: false };
  }

  /** Deletes keys older than 24 hours, a thousand at a time. */
  async clean(): Promise<void> {
    let deleted: number;
    do deleted = (await this.database.execute(CLEAN)).affected;
    while (deleted > 0);
  }

  /** Erases people from kept answers created until `until`: given by number, user id, or the id of a conversation. */
  async forget(accountId: string, people: readonly string[], until: Date): Promise<void> {
    await this.database.execute(FORGET, [accountId, people, until]);
  }

  private async claim(
    rowKey: RowKey,
    fingerprint: Buffer,
    presentState: (resourceId: string) => Promise<Answer | null>,
  ): Promise<{ answer: Answer } | { token: string; resourceId: string }> {
    for (;;) {
      const token = uuidV7();
      const resourceId = uuidV7(this.clock.now().getTime());
      const fresh = await this.database.execute(CLAIM, [...rowKey, fingerprint, token, resourceId]);
      if (fresh.affected === 1) return { token, resourceId };
      const [holder] = await this.database.rows<Holder>(HOLDER, [...rowKey]);
      // Freed between the two statements: try again.
      if (!holder) continue;
      const isSame = fingerprint.equals(holder.fingerprint);
      if (holder.answerStatus === null && holder.secondsLeft <= 0) {
        const answer = await presentState(holder.resourceId);
        if (answer && !isSame) throw new IdempotencyMismatchError();
        if (answer) return { answer };
        const taken = await this.database.execute(TAKE_OVER, [...rowKey, fingerprint, token, resourceId, holder.token]);
        if (taken.affected === 1) return { token, resourceId };
        continue;
      }
      if (!isSame) throw new IdempotencyMismatchError();
      if (holder.answerStatus === null || !holder.answer) throw new IdempotencyInProgressError();
      const { body, headers } = holder.answer;
      return { answer: { statusCode: holder.answerStatus, body, ...(headers && { headers }) } };
    }
  }

  private async workUnder(
    { token, resourceId }: { token: string; resourceId: string },
    rowKey: RowKey,
    work: (claim: CreationClaim) => Promise<Answer>,
  ): Promise<Answer> {
    const own = [...rowKey, token];
    let sealed = false;
    const renewing = setInterval(() => void this.settle(RENEW, own), RENEW_EVERY_MS);
    renewing.unref();
    try {
      const answer = await work({
        resourceId,
        isKeyed: true,
        seal: async () => {
          const { affected } = await this.database.execute(RENEW, own);
          if (affected === 0) throw new IdempotencyLostError();
          sealed = true;
        },
      });
      if (answer.statusCode === 201 || answer.statusCode === 202) await this.keep(own, answer);
      else await this.settle(RELEASE, own);
      return answer;
    } catch (error) {
      if (error instanceof DomainError && error.keepAnswer) await this.keep(own, answerToDomainError(error, undefined));
      // It is unknown whether a transaction that failed here has committed: the next request checks for the resource.
      else if (sealed && !(error instanceof DomainError)) await this.settle(ABANDON, own);
      else await this.settle(RELEASE, own);
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  private keep(own: string[], { statusCode, body, headers }: Answer): Promise<void> {
    return this.settle(KEEP, [...own, statusCode, JSON.stringify({ body, headers })]);
  }

  /** A failure must not affect the answer: without a database the lease expires by itself. */
  private async settle(statement: string, parameters: unknown[]): Promise<void> {
    try {
      await this.database.execute(statement, parameters);
    } catch (error) {
      this.logger.warn(`The claim of an idempotency key could not be updated: ${(error as Error).message}`);
    }
  }
}

function badKey(): ValidationFailedError {
  const message = 'Idempotency-Key must have 1 to 255 printable ASCII characters.';
  return new ValidationFailedError([{ field: 'Idempotency-Key', code: 'invalid_format', message }]);
}
