import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { CreationClaim } from '../../../kernel/creation-claim';
import { DomainError } from '../../../kernel/domain-error';
import { uuidV7 } from '../../../kernel/uuid';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { Database } from '../../database/database';
import type { Answer } from '../answer';
import { domainErrorResponse } from '../errors/error-response';
import {
  ABANDON,
  CLAIM,
  CLEAN,
  DELETE_OF_ACCOUNT,
  FORGET,
  HOLDER,
  KEEP,
  LEASE_SECONDS,
  RELEASE,
  RENEW,
  TAKE_OVER,
} from './idempotency-claims.sql';
import { IdempotencyInProgressError, IdempotencyLostError, IdempotencyMismatchError } from './idempotency.errors';

/** A request with an `Idempotency-Key`. */
export interface KeyedRequest {
  accountId: string;
  /** Method and path: a key is unique per account and endpoint. */
  endpoint: string;
  /** 1 to 255 printable ASCII characters. */
  key: string;
  /** SHA-256 of the content that identifies the request. */
  fingerprint: Buffer;
}

/** An earlier claim of the key that expired without a response. */
interface ExpiredClaim {
  state: 'expired';
  /** The id of its resource, if it created one. */
  resourceId: string;
  /** Whether it was the same request. */
  isSame: boolean;
  token: string;
}

/** The result of a claim: the key is held, has the response of an earlier request, or has an expired claim without one. */
type KeyClaim = { state: 'held'; key: HeldKey } | { state: 'answered'; answer: Answer } | ExpiredClaim;

interface Holder {
  fingerprint: Buffer;
  token: string;
  resourceId: string;
  answerStatus: number | null;
  answer: { body: object; headers?: Record<string, string> | null } | null;
  secondsLeft: number;
}

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;
const FORGOTTEN_AT_ONCE = 1000;
const RENEW_EVERY_MS = (LEASE_SECONDS * 1000) / 4;

/** A claimed key. Its lease is renewed until `release`. */
export class HeldKey implements CreationClaim {
  readonly isKeyed = true;
  private readonly logger = new Logger(IdempotencyKeys.name);
  private readonly renewing = setInterval(() => void this.update(RENEW), RENEW_EVERY_MS).unref();
  private sealed = false;

  constructor(
    readonly resourceId: string,
    /** The row and the token of the claim. */
    private readonly row: readonly string[],
    private readonly database: Database,
  ) {}

  async seal(): Promise<void> {
    const { affected } = await this.database.execute(RENEW, [...this.row]);
    if (affected === 0) throw new IdempotencyLostError();
    this.sealed = true;
  }

  /** Stores a 201 or 202; any other response frees the key. */
  async keep({ statusCode, body, headers }: Answer): Promise<void> {
    if (statusCode === 201 || statusCode === 202) await this.store({ statusCode, body, headers });
    else await this.update(RELEASE);
  }

  /** Stores the response to an error with `keepAnswer`; any other error frees the key. */
  async fail(error: unknown): Promise<void> {
    if (error instanceof DomainError && error.keepAnswer) await this.store(domainErrorResponse(error, undefined));
    // The failed transaction may have committed: the next request checks for the resource.
    else if (this.sealed && !(error instanceof DomainError)) await this.update(ABANDON);
    else await this.update(RELEASE);
  }

  release(): void {
    clearInterval(this.renewing);
  }

  private store({ statusCode, body, headers }: Answer): Promise<void> {
    return this.update(KEEP, [statusCode, JSON.stringify({ body, headers })]);
  }

  /** A failure must not affect the response: without the database the lease simply expires. */
  private async update(statement: string, more: unknown[] = []): Promise<void> {
    try {
      await this.database.execute(statement, [...this.row, ...more]);
    } catch (error) {
      this.logger.warn(`The claim of an idempotency key could not be updated: ${(error as Error).message}`);
    }
  }
}

/** Claims of idempotency keys: requests with the same key are executed once within 24 hours, across crashes and processes. */
@Injectable()
export class IdempotencyKeys {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Claims the key, or returns the response of an earlier request with it. `currentState` returns the response for the resource of a
   * request that died without one; null if it created none. Throws the errors of `claim`. Call it outside a transaction.
   */
  async once(
    request: KeyedRequest,
    currentState: (resourceId: string) => Promise<Answer | null>,
  ): Promise<HeldKey | { earlier: Answer }> {
    let claim = await this.claim(request);
    while (claim.state === 'expired') {
      const answer = await currentState(claim.resourceId);
      if (answer && !claim.isSame) throw new IdempotencyMismatchError();
      if (answer) return { earlier: answer };
      claim = await this.takeOver(request, claim);
    }
    return claim.state === 'answered' ? { earlier: claim.answer } : claim.key;
  }

  /** Deletes keys older than 24 hours, a thousand at a time. */
  async clean(): Promise<void> {
    let deleted: number;
    do deleted = (await this.database.execute(CLEAN)).affected;
    while (deleted > 0);
  }

  /**
   * Erases people, given by number, user id or conversation id, from at most a thousand of the stored responses created until `until`;
   * returns whether there may be more.
   */
  async forget(accountId: string, people: readonly string[], until: Date): Promise<boolean> {
    const { affected } = await this.database.execute(FORGET, [accountId, people, until, FORGOTTEN_AT_ONCE]);
    return affected > 0;
  }

  /** Deletes at most `limit` keys of an account with their responses; returns their number. */
  async deleteOf(accountId: string, limit: number): Promise<number> {
    return (await this.database.execute(DELETE_OF_ACCOUNT, [accountId, limit])).affected;
  }

  /**
   * Claims the key if it is free or older than 24 hours. Throws ValidationFailedError for an
   * unprintable key, IdempotencyMismatchError, IdempotencyInProgressError.
   */
  private async claim(request: KeyedRequest): Promise<KeyClaim> {
    if (!PRINTABLE.test(request.key)) throw badKey();
    for (;;) {
      const token = uuidV7();
      const resourceId = uuidV7(this.clock.now().getTime());
      const fresh = await this.database.execute(CLAIM, [...rowOf(request), request.fingerprint, token, resourceId]);
      if (fresh.affected === 1) return this.held(request, resourceId, token);
      const [holder] = await this.database.rows<Holder>(HOLDER, rowOf(request));
      // Freed between the two statements: retry.
      if (!holder) continue;
      const isSame = request.fingerprint.equals(holder.fingerprint);
      if (holder.answerStatus === null && holder.secondsLeft <= 0) {
        return { state: 'expired', resourceId: holder.resourceId, isSame, token: holder.token };
      }
      if (!isSame) throw new IdempotencyMismatchError();
      if (holder.answerStatus === null || !holder.answer) throw new IdempotencyInProgressError();
      const { body, headers } = holder.answer;
      return { state: 'answered', answer: { statusCode: holder.answerStatus, body, ...(headers && { headers }) } };
    }
  }

  /** Takes over the key of an expired claim that created nothing; if another request was faster, claims the key again. */
  private async takeOver(request: KeyedRequest, expired: ExpiredClaim): Promise<KeyClaim> {
    const token = uuidV7();
    const resourceId = uuidV7(this.clock.now().getTime());
    const parameters = [...rowOf(request), request.fingerprint, token, resourceId, expired.token];
    const { affected } = await this.database.execute(TAKE_OVER, parameters);
    return affected === 1 ? this.held(request, resourceId, token) : this.claim(request);
  }

  private held(request: KeyedRequest, resourceId: string, token: string): KeyClaim {
    return { state: 'held', key: new HeldKey(resourceId, [...rowOf(request), token], this.database) };
  }
}

/** The primary key of the row. */
function rowOf({ accountId, endpoint, key }: KeyedRequest): string[] {
  return [accountId, endpoint, key];
}

function badKey(): ValidationFailedError {
  const message = 'Idempotency-Key must have 1 to 255 printable ASCII characters.';
  return new ValidationFailedError([{ field: 'Idempotency-Key', code: 'invalid_format', message }]);
}
