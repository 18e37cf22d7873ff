import { Injectable, Logger } from '@nestjs/common';
import type { Caller } from '../../../kernel/caller';
import { DomainError } from '../../../kernel/domain-error';
import { uuidV7 } from '../../../kernel/uuid';
import { Database } from '../../database/database';
import { ValidationFailedError } from '../http.errors';
import {
  ABANDON,
  CLAIM,
  CLEAN,
  HOLDER,
  LEASE_SECONDS,
  RELEASE,
  RENEW,
  SEAL,
  TAKE_OVER,
} from './idempotency-claims.sql';
import { IdempotencyInProgressError, IdempotencyLostError, IdempotencyMismatchError } from './idempotency.errors';
import { type IdempotentOutcome, type KeptAnswer, keptAnswerOf } from './kept-answer';

/** A request that may carry a key. */
export interface IdempotentRequest {
  caller: Caller;
  /** Method and path, what a key is unique for beside the account. */
  endpoint: string;
  key: string | undefined;
  /** SHA-256 of what makes the request this one; asked only where there is a key. */
  fingerprint: () => Buffer;
}

/** The right to create one job or message. */
export interface CreationClaim {
  /** The id that the job or message must get, so that it can be found again by the claim. */
  readonly resourceId: string;
  /**
   * Inside the transaction that creates the resource: proves that the claim still holds, else throws
   * IdempotencyLostError; keeps the answer where one is given.
   */
  seal(answer?: KeptAnswer): Promise<void>;
}

interface Holder {
  fingerprint: Buffer;
  token: string;
  resourceId: string;
  answerStatus: number | null;
  answerBody: { body: object; headers?: Record<string, string> } | null;
  secondsLeft: number;
}

/** What names the row of a key. */
type RowKey = readonly [accountId: string, endpoint: string, key: string];

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;
const RENEW_EVERY_MS = (LEASE_SECONDS * 1000) / 4;

/** Lets a request that is repeated with the same key happen once, over crashes and several processes, for 24 hours. */
@Injectable()
export class IdempotencyKeys {
  private readonly logger = new Logger(IdempotencyKeys.name);

  constructor(private readonly database: Database) {}

  /**
   * Does `work` under the claim of the key, or answers what an earlier request got. Must be called outside a
   * transaction. A claim that ended without an answer is settled by `presentState`: the answer for the resource if it
   * exists, else null and the key is free. A domain error of `work` frees the key, unless it carries `keepAnswer`.
   */
  async run(
    request: IdempotentRequest,
    work: (claim: CreationClaim) => Promise<KeptAnswer>,
    presentState: (resourceId: string) => Promise<KeptAnswer | null>,
  ): Promise<IdempotentOutcome> {
    if (request.key === undefined) {
      const answer = await work({ resourceId: uuidV7(), seal: () => Promise.resolve() });
      return { answer, replayed: false };
    }
    if (!PRINTABLE.test(request.key)) throw badKey();
    const rowKey: RowKey = [request.caller.accountId, request.endpoint, request.key];
    const claimed = await this.claim(rowKey, request.fingerprint(), presentState);
    if ('answer' in claimed) return { answer: claimed.answer, replayed: true };
    return { answer: await this.workUnder(claimed, rowKey, work), replayed: false };
  }

  /** Deletes the keys that are older than 24 hours, a thousand at a time. */
  async clean(): Promise<void> {
    let deleted: number;
    do deleted = (await this.database.execute(CLEAN)).affected;
    while (deleted > 0);
  }

  private async claim(
    rowKey: RowKey,
    fingerprint: Buffer,
    presentState: (resourceId: string) => Promise<KeptAnswer | null>,
  ): Promise<{ answer: KeptAnswer } | { token: string; resourceId: string }> {
    for (;;) {
      const token = uuidV7();
      const resourceId = uuidV7();
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
      if (holder.answerStatus === null || !holder.answerBody) throw new IdempotencyInProgressError();
      return { answer: { statusCode: holder.answerStatus, ...holder.answerBody, keep: true } };
    }
  }

  private async workUnder(
    { token, resourceId }: { token: string; resourceId: string },
    rowKey: RowKey,
    work: (claim: CreationClaim) => Promise<KeptAnswer>,
  ): Promise<KeptAnswer> {
    const own = [...rowKey, token];
    let sealed: KeptAnswer | true | null = null;
    const renewing = setInterval(() => this.inBackground(RENEW, own), RENEW_EVERY_MS);
    renewing.unref();
    try {
      const answer = await work({
        resourceId,
        seal: async (given) => {
          if (!(await this.seal(own, given))) throw new IdempotencyLostError();
          sealed = given ?? sealed ?? true;
        },
      });
      if (!answer.keep) await this.settle(RELEASE, own);
      else if (sealed !== answer) await this.settle(SEAL, sealParameters(own, answer));
      return answer;
    } catch (error) {
      const kept = error instanceof DomainError ? keptAnswerOf(error) : null;
      if (kept) await this.settle(SEAL, sealParameters(own, kept));
      // Whether a transaction that broke has committed is not known here: the next request looks for the resource.
      else if (sealed && !(error instanceof DomainError)) await this.settle(ABANDON, own);
      else await this.settle(RELEASE, own);
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  private async seal(own: string[], answer: KeptAnswer | undefined): Promise<boolean> {
    return (await this.database.execute(SEAL, sealParameters(own, answer))).affected === 1;
  }

  /** Must not change what the request gets: the lease ends by itself where the database cannot be reached. */
  private async settle(statement: string, parameters: unknown[]): Promise<void> {
    try {
      await this.database.execute(statement, parameters);
    } catch (error) {
      this.logger.warn(`The claim of an idempotency key could not be settled: ${(error as Error).message}`);
    }
  }

  private inBackground(statement: string, parameters: unknown[]): void {
    void this.settle(statement, parameters);
  }
}

function sealParameters(own: string[], answer: KeptAnswer | undefined): unknown[] {
  const kept = answer?.keep ? answer : undefined;
  return [...own, kept?.statusCode ?? null, kept ? JSON.stringify({ body: kept.body, headers: kept.headers }) : null];
}

function badKey(): ValidationFailedError {
  const message = 'Idempotency-Key must have 1 to 255 printable ASCII characters.';
  return new ValidationFailedError([{ field: 'Idempotency-Key', code: 'invalid_format', message }]);
}
