import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';
import type { Database } from '../../src/infra/database/database';
import { describeOnDatabase } from '../support/databases';
import type { Client } from '../support/process/client';
import { SendTemplateApi } from '../support/send-template-api';

/** How long a row is locked, and the response time limit of a request that does not need it, also on a busy machine. */
const LOCKED_SECONDS = 2.5;
const UNAFFECTED_MS = 2000;
/** Response time of the platform for a send whose row is locked meanwhile. */
const ANSWER_MS = 500;
/** Runs outside the caller's transaction. */
const outside = AsyncLocalStorage.snapshot();

/** A person without earlier messages. */
let people = 0;
const newPerson = () => `4915110${String(++people).padStart(5, '0')}1`;

// Other load can only cause failures.
jest.retryTimes(2);

describeOnDatabase('Single sends while a row is locked', (open, isShared) => {
  let database: Database;
  let one: SendTemplateApi;
  let client: Client;

  beforeAll(async () => {
    database = await open();
    one = new SendTemplateApi(database);
    client = await one.start();
  });
  afterAll(() => one.stop());

  const send = async (to: string, key = one.sender.accountId) => {
    const begun = performance.now();
    const order = { to, templateName: 'order_update', templateParameters: [{ text: 'Mira' }, { text: 'PK-1' }] };
    const { status, body } = await client.post('/send-template', order, { key });
    return { status, messageStatus: (body as { status: string }).status, ms: performance.now() - begun };
  };
  /** Concurrent sends: to the person, to others of the account, and of other accounts. */
  const sendToAll = async (person: string) => {
    const [key, other] = [await one.addAccount(), await one.addAccount()];
    return outside(() => {
      const held = send(person);
      const others = [send(newPerson()), send(newPerson()), send(newPerson(), key), send(newPerson(), other)];
      return { held, others };
    });
  };
  const lockWhile = async <T>(select: string, parameters: unknown[], work: () => Promise<T>): Promise<T> => {
    let meanwhile: Promise<T>;
    await database.transaction(async () => {
      await database.rows(`${select} FOR UPDATE`, parameters);
      meanwhile = outside(work);
      await database.rows(`SELECT pg_sleep(${LOCKED_SECONDS})`);
    });
    return meanwhile!;
  };

  it('count in the messaging tier in effect, whatever the cached sender has', async () => {
    const person = newPerson();
    const { sender } = one;
    one.sender = { ...sender, messagingTier: 'Unlimited' };
    await send(person);
    one.sender = sender;
    const counted = await database.rows('SELECT 1 FROM tier_conversations WHERE portfolio_id = $1 AND person = $2', [
      sender.portfolioId,
      person,
    ]);
    expect(counted).toHaveLength(1);
  });

  it('are answered immediately without a locked row', async () => {
    const { held, others } = await sendToAll(newPerson());
    for (const answer of [await held, ...(await Promise.all(others))]) {
      expect(answer).toMatchObject({ status: 201, messageStatus: 'Sent' });
    }
  });

  // On the only connection of the embedded database nothing waits.
  if (!isShared) return;

  const expectUnaffected = (answers: readonly { status: number; ms: number }[]) => {
    for (const { status, ms } of answers) {
      expect(status).toBe(201);
      expect(ms).toBeLessThan(UNAFFECTED_MS);
    }
  };

  it("wait only for their own person's conversation", async () => {
    const person = newPerson();
    await send(person);
    const ofPerson = 'SELECT 1 FROM conversations WHERE account_id = $1 AND contact_phone = $2';
    await lockWhile(ofPerson, [one.sender.accountId, person], async () => {
      const { held, others } = await sendToAll(person);
      expectUnaffected(await Promise.all(others));
      const { status, ms } = await held;
      // It may start later than a request may be sent; the lane then sends it.
      expect([201, 202]).toContain(status);
      expect(ms).toBeGreaterThan(UNAFFECTED_MS);
    });
  });

  it("wait only for their own business's messaging tier", async () => {
    await send(newPerson());
    await lockWhile('SELECT 1 FROM portfolios WHERE id = $1', [one.sender.portfolioId], async () => {
      const [key, other] = [await one.addAccount(), await one.addAccount()];
      const waiting = Array.from({ length: 30 }, () => send(newPerson()));
      for (let n = 0; n < 10; n++) {
        expectUnaffected(await Promise.all([send(newPerson(), key), send(newPerson(), other)]));
      }
      for (const { status } of await Promise.all(waiting)) expect([201, 202]).toContain(status);
    });
  });

  it("are answered if only another one's answer cannot be recorded yet", async () => {
    const person = newPerson();
    await one.platform.configure({ latencyMs: ANSWER_MS });
    const sent = send(person);
    await setTimeout(ANSWER_MS / 2);
    await one.platform.configure({ latencyMs: 0 });
    await lockWhile('SELECT 1 FROM messages WHERE contact_phone = $1', [person], async () => {
      await setTimeout(ANSWER_MS);
      expectUnaffected(await Promise.all(Array.from({ length: 5 }, () => send(newPerson()))));
      expect(await sent).toMatchObject({ status: 201, messageStatus: 'Sent' });
    });
  });
});
