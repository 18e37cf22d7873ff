import type { ExecutionContext } from '@nestjs/common';
import { type ModuleRef, Reflector } from '@nestjs/core';
import { ValidateBy } from 'class-validator';
import { defer, lastValueFrom } from 'rxjs';
import type { Database } from '../../src/infra/database/database';
import { SystemClock } from '../../src/infra/system-clock';
import { ValidationFailedError } from '../../src/kernel/request.errors';
import type { Answer } from '../../src/infra/http/answer';
import { IdempotencyKeys } from '../../src/infra/http/idempotency/idempotency-keys';
import {
  IdempotencyInProgressError,
  IdempotencyLostError,
  IdempotencyMismatchError,
} from '../../src/infra/http/idempotency/idempotency.errors';
import { RequestValidationPipe } from '../../src/infra/http/validation/request-validation.pipe';
import { Idempotent, IdempotencyInterceptor } from '../../src/infra/http/idempotency/idempotent.decorator';
import type { CreationClaim } from '../../src/kernel/creation-claim';
import { DomainError } from '../../src/kernel/domain-error';
import { isUuid, uuidV7 } from '../../src/kernel/uuid';
import { describeOnDatabase } from '../support/databases';

class NotSentError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'platform_unavailable';
}

class RejectedError extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'platform_rejected';
  override readonly keepAnswer = true;
  override readonly extra = { platformCode: 131026 };
}

const created = (id: string): Answer => ({
  statusCode: 201,
  body: { id },
  headers: { Location: `/jobs/${id}` },
});
const nothing = () => Promise.resolve(null);

type Work = (claim: CreationClaim) => Promise<Answer>;
type Present = (id: string) => Promise<Answer | null>;

/** A body that counts its validations. */
class Counted {
  static validations = 0;

  @ValidateBy({ name: 'counted', validator: { validate: () => ++Counted.validations > 0 } })
  to!: string;
}

/** A controller with idempotent routes. */
class Things {
  constructor(readonly present: Present) {}

  @Idempotent<Things>(Object, ({ present }, { resourceId }) => present(resourceId))
  create(): void {}

  @Idempotent<Things>(Counted, ({ present }, { resourceId }) => present(resourceId))
  createCounted(): void {}
}

interface ThingRequest {
  accountId: string;
  path: string;
  key: string | undefined;
  body: object;
}

describeOnDatabase('Idempotency keys', (open) => {
  const accountId = uuidV7();
  let database: Database;
  let keys: IdempotencyKeys;
  let made: string[];
  let lastKey = 0;

  beforeAll(async () => {
    database = await open();
    keys = new IdempotencyKeys(database, new SystemClock());
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'A', 'Pro')`, [accountId]);
    await database.execute('CREATE TABLE made_things (id uuid PRIMARY KEY)');
  });
  beforeEach(() => {
    made = [];
    lastKey += 1;
  });

  const request = (
    body: object = { to: '1' },
    key: string | undefined = `key ${lastKey}`,
    path = '/things',
  ): ThingRequest => ({ accountId, path, key, body });
  /** Sends a request through the interceptor of a route that runs `work`. */
  const run = async ({ accountId, path, key, body }: ThingRequest, work: Work, present: Present) => {
    const headers = { 'idempotency-key': key };
    const http: { claim?: CreationClaim; body: object } & object = {
      ...{ caller: { accountId }, requestId: 'this request', method: 'POST', path, params: {}, body, headers },
    };
    const answered = { statusCode: 0, headers: {} as Record<string, string>, replayed: false };
    const response = {
      status: (statusCode: number) => Object.assign(response, { done: (answered.statusCode = statusCode) }),
      set: (headers: Record<string, string>) => Object.assign(answered, { headers }),
      setHeader: (name: string, value: string) =>
        (answered.replayed = `${name}: ${value}` === 'Idempotency-Replayed: true'),
    };
    const context = {
      switchToHttp: () => ({ getRequest: () => http, getResponse: () => response }),
      getClass: () => Things,
      getHandler: () => (path === '/counted' ? Things.prototype.createCounted : Things.prototype.create),
    } as unknown as ExecutionContext;
    const controllers = { get: () => new Things(present) } as unknown as ModuleRef;
    const interceptor = new IdempotencyInterceptor(keys, new SystemClock(), new Reflector(), controllers);
    const handle = async () => {
      if (path === '/counted')
        await new RequestValidationPipe().transform(http.body, { type: 'body', metatype: Counted });
      return work(http.claim!);
    };
    const answers = await interceptor.intercept(context, { handle: () => defer(handle) });
    const { statusCode, headers: given, replayed } = answered;
    const answer: Answer = { statusCode, body: await lastValueFrom(answers) };
    return { answer: Object.keys(given).length > 0 ? { ...answer, headers: given } : answer, replayed };
  };
  const create = async (claim: CreationClaim): Promise<Answer> => {
    made.push(claim.resourceId);
    await database.transaction(async () => {
      await database.execute('INSERT INTO made_things VALUES ($1)', [claim.resourceId]);
      await claim.seal();
    });
    return created(claim.resourceId);
  };
  const present = async (id: string): Promise<Answer | null> => {
    const rows = await database.rows('SELECT FROM made_things WHERE id = $1', [id]);
    return rows.length === 0 ? null : { statusCode: 202, body: { id, status: 'Queued' } };
  };
  const endLease = () =>
    database.execute(`UPDATE idempotency_keys SET lease_until = now() - interval '1 second' WHERE key = $1`, [
      `key ${lastKey}`,
    ]);

  it('works every time without a key, with a new id each', async () => {
    const noKey = { ...request(), key: undefined };
    const first = await run(noKey, create, present);
    const second = await run(noKey, create, present);
    expect([first.replayed, second.replayed]).toEqual([false, false]);
    expect(new Set(made).size).toBe(2);
    expect(made.every(isUuid)).toBe(true);
  });

  it('validates a body once, with a key and without', async () => {
    for (const key of [undefined, `key ${lastKey}`]) {
      Counted.validations = 0;
      await run({ accountId, path: '/counted', key, body: { to: '1' } }, create, present);
      expect(Counted.validations).toBe(1);
    }
  });

  it('replays status, body and headers for the same request, and does nothing twice', async () => {
    const first = await run(request(), create, present);
    const second = await run(request(), create, present);
    expect(first).toEqual({ answer: created(made[0]!), replayed: false });
    expect(second).toEqual({ answer: created(made[0]!), replayed: true });
    expect(made).toHaveLength(1);
  });

  it("erases a person's number from stored responses, and stays idempotent", async () => {
    const since = new Date(Date.now() + 60_000);
    const sent = (to: string) => () =>
      Promise.resolve({ statusCode: 201, body: { messageId: 'm', to, platformMessageId: `wamid.${to}` } });
    const replied = () =>
      Promise.resolve({
        statusCode: 201,
        body: { messageId: 'r', conversationId: 'c-1', platformMessageId: 'wamid.1' },
      });
    const keyed = (name: string) => request({ name }, `${name} ${lastKey}`);
    await run(keyed('ann'), sent('491'), present);
    await run(keyed('ben'), sent('492'), present);
    await run(keyed('reply'), replied, present);
    await keys.forget(accountId, ['491', 'c-1'], new Date(0));
    const bodyOf = async (name: string) => {
      const { answer, replayed } = await run(keyed(name), create, present);
      expect(replayed).toBe(true);
      return answer.body;
    };
    expect(await bodyOf('ann')).toMatchObject({ to: '491' });
    await keys.forget(accountId, ['491', 'c-1'], since);
    expect(await bodyOf('ann')).toEqual({ messageId: 'm', to: '', platformMessageId: null });
    expect(await bodyOf('ben')).toMatchObject({ to: '492', platformMessageId: 'wamid.492' });
    expect(await bodyOf('reply')).toEqual({ messageId: 'r', conversationId: 'c-1', platformMessageId: null });
    expect(made).toEqual([]);
  });

  it('replays the same bytes, whatever the field names', async () => {
    const body = { z: 1, a: { yy: [{ b: 2, a: 1.5 }], x: null }, aa: '"é" 😀', b: new Date(0) };
    const answer = { statusCode: 202, body, headers: { Location: '/x' } };
    await run(request(), () => Promise.resolve(answer), present);
    const { answer: again } = await run(request(), create, present);
    expect(JSON.stringify(again)).toBe(JSON.stringify(answer));
  });

  it('still reads, and erases, responses of the previous version', async () => {
    const body = { to: '491', messageId: 'm', platformMessageId: 'wamid.1' };
    await run(request(), () => Promise.resolve({ statusCode: 201, body }), present);
    await database.execute(`UPDATE idempotency_keys SET answer_body = answer::jsonb, answer = NULL WHERE key = $1`, [
      `key ${lastKey}`,
    ]);
    expect((await run(request(), create, present)).answer).toEqual({ statusCode: 201, body });
    await keys.forget(accountId, ['491'], new Date(Date.now() + 60_000));
    const { answer } = await run(request(), create, present);
    expect(answer.body).toEqual({ to: '', messageId: 'm', platformMessageId: null });
  });

  it('treats fields in another order as the same request', async () => {
    await run(request({ a: 1, b: { c: 2, d: 3 } }), create, present);
    expect((await run(request({ b: { d: 3, c: 2 }, a: 1 }), create, present)).replayed).toBe(true);
  });

  it('rejects another request with the same key', async () => {
    await run(request(), create, present);
    await expect(run(request({ to: '2' }), create, present)).rejects.toThrow(IdempotencyMismatchError);
    expect(made).toHaveLength(1);
  });

  it('keeps keys apart by endpoint and account', async () => {
    const otherAccount = uuidV7();
    await database.execute(`INSERT INTO accounts (id, name, plan) VALUES ($1, 'B', 'Pro')`, [otherAccount]);
    const elsewhere = request({ to: '2' }, `key ${lastKey}`, '/others');
    const other = { ...request({ to: '3' }), accountId: otherAccount };
    for (const each of [request(), elsewhere, other]) expect((await run(each, create, present)).replayed).toBe(false);
  });

  it('rejects the same request while the first one runs, and runs exactly one of many', async () => {
    let finish: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (finish = resolve));
    const slow = async (claim: CreationClaim) => {
      await gate;
      return create(claim);
    };
    const refused: unknown[] = [];
    let nineAreRefused: () => void = () => undefined;
    const nineRefused = new Promise<void>((resolve) => (nineAreRefused = resolve));
    const refuse = (reason: unknown) => {
      if (refused.push(reason) === 9) nineAreRefused();
    };
    const all = Array.from({ length: 10 }, () => run(request(), slow, present).catch(refuse));
    await nineRefused;
    await expect(run(request({ to: '2' }), create, present)).rejects.toThrow(IdempotencyMismatchError);
    finish();
    await Promise.all(all);
    expect(refused).toHaveLength(9);
    for (const reason of refused) expect(reason).toBeInstanceOf(IdempotencyInProgressError);
    expect(new IdempotencyInProgressError().retryAfterSeconds).toBeGreaterThanOrEqual(1);
    expect(made).toHaveLength(1);
  });

  it('frees the key if nothing was created', async () => {
    const failing = () => Promise.reject(new NotSentError('Not sent.'));
    await expect(run(request(), failing, nothing)).rejects.toThrow(NotSentError);
    const notKept = { statusCode: 200, body: { dryRun: true } };
    await run(request({ to: '2' }), () => Promise.resolve(notKept), nothing);
    expect((await run(request({ to: '3' }), create, present)).replayed).toBe(false);
  });

  it('stores the body of an error marked for it, and replays it with the new request id', async () => {
    const failing = () => Promise.reject(new RejectedError('The platform refused.'));
    await expect(run(request(), failing, nothing)).rejects.toThrow(RejectedError);
    const { answer, replayed } = await run(request(), create, present);
    expect(replayed).toBe(true);
    expect(answer).toMatchObject({
      statusCode: 422,
      body: { error: 'Unprocessable Entity', code: 'platform_rejected', statusCode: 422, platformCode: 131026 },
    });
    expect(answer.body).toMatchObject({ requestId: 'this request' });
    expect(made).toHaveLength(0);
  });

  it('stores the response as returned after the resource was stored', async () => {
    const later = async (claim: CreationClaim) => {
      await create(claim);
      return { statusCode: 202, body: { id: claim.resourceId, warnings: ['known only now'] } };
    };
    const first = await run(request(), later, nothing);
    expect(await run(request(), create, present)).toEqual({ answer: first.answer, replayed: true });
  });

  describe('after a process was killed', () => {
    /** Claims the key like a process that then dies; `didCreate`: it committed what it created. */
    const die = async (didCreate: boolean): Promise<CreationClaim> => {
      const claimed = await new Promise<CreationClaim>((resolve, reject) => {
        const work = async (claim: CreationClaim) => {
          if (didCreate) await create(claim);
          resolve(claim);
          return new Promise<never>(() => undefined);
        };
        run(request(), work, nothing).catch(reject);
      });
      made = [];
      return claimed;
    };

    it('returns the current state of the committed resource, once its lease has expired', async () => {
      const { resourceId } = await die(true);
      await expect(run(request(), create, present)).rejects.toThrow(IdempotencyInProgressError);
      await endLease();
      const outcome = await run(request(), create, present);
      expect(outcome).toEqual({
        answer: { statusCode: 202, body: { id: resourceId, status: 'Queued' } },
        replayed: true,
      });
      await expect(run(request({ to: '2' }), create, present)).rejects.toThrow(IdempotencyMismatchError);
      expect(made).toHaveLength(0);
    });

    it('lets the next request do the work if nothing was created, even a different one', async () => {
      await die(false);
      await endLease();
      expect((await run(request({ to: '2' }), create, present)).replayed).toBe(false);
      expect(made).toHaveLength(1);
    });

    it('lets a merely slow process create nothing afterwards', async () => {
      const slow = await die(false);
      await endLease();
      await run(request(), create, present);
      await expect(create(slow)).rejects.toThrow(IdempotencyLostError);
      expect(await database.rows('SELECT FROM made_things WHERE id = $1', [slow.resourceId])).toHaveLength(0);
    });
  });

  it('lets the next request look for the resource if a commit may have been lost', async () => {
    const cut = async (claim: CreationClaim): Promise<Answer> => {
      await create(claim);
      throw new Error('Connection terminated unexpectedly');
    };
    // As if the insert, but not the stored response, had reached the database.
    await expect(run(request(), cut, present)).rejects.toThrow('Connection terminated');
    await database.execute('UPDATE idempotency_keys SET answer_status = NULL WHERE key = $1', [`key ${lastKey}`]);
    expect((await run(request(), create, present)).answer.statusCode).toBe(202);
    expect(made).toHaveLength(1);
  });

  it('holds the claim while the work runs', async () => {
    // The test controls only the repeating timer; the database driver keeps its own.
    jest.useFakeTimers({
      doNotFake: [
        'setTimeout',
        'clearTimeout',
        'setImmediate',
        'clearImmediate',
        'nextTick',
        'queueMicrotask',
        'Date',
        'hrtime',
        'performance',
      ],
    });
    try {
      const slow = async (claim: CreationClaim) => {
        await endLease();
        await jest.advanceTimersByTimeAsync(6_000);
        await expect(run(request(), create, present)).rejects.toThrow(IdempotencyInProgressError);
        return create(claim);
      };
      expect((await run(request(), slow, present)).replayed).toBe(false);
      expect(made).toHaveLength(1);
    } finally {
      jest.useRealTimers();
    }
  });

  it('deletes a key after 24 hours', async () => {
    await run(request(), create, present);
    await database.execute(
      `UPDATE idempotency_keys SET created_at = now() - interval '25 hours', lease_until = now() - interval '25 hours' WHERE key = $1`,
      [`key ${lastKey}`],
    );
    expect((await run(request({ to: '2' }), create, present)).replayed).toBe(false);
  });

  it('deletes exactly the old keys', async () => {
    await database.execute('DELETE FROM idempotency_keys');
    await run(request(), create, present);
    await database.execute(
      `INSERT INTO idempotency_keys (account_id, endpoint, key, fingerprint, claim_token, resource_id, lease_until, created_at)
       SELECT $1, 'POST /old', n::text, '\\x00', gen_random_uuid(), gen_random_uuid(), now() - interval '25 hours', now() - interval '25 hours'
       FROM generate_series(1, 2500) AS n`,
      [accountId],
    );
    await keys.clean();
    const [left] = await database.rows<{ count: string }>('SELECT count(*) FROM idempotency_keys');
    expect(Number(left?.count)).toBe(1);
  });

  it.each(['', 'x'.repeat(256), 'naïve', 'tab\there'])('rejects the key %p', async (key) => {
    await expect(run(request({}, key), create, present)).rejects.toThrow(ValidationFailedError);
  });

  it.each(['x', 'x'.repeat(255), 'with blank ~'])('accepts the key %p', async (key) => {
    expect((await run(request({}, key), create, present)).replayed).toBe(false);
  });
});
