import { Client, type Json } from '../support/process/client';
import { expectError, expectFieldErrors } from '../support/process/errors';
import { Platform } from '../support/process/platform';
import { KEY, type Service, startService, until } from '../support/process/service';
import { freePort } from '../support/free-port';
import { postWebhook, reportOf, statusOf } from '../support/process/webhook';

const texts = (...values: string[]) => values.map((text) => ({ text }));

describe('A person by user id', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;
  let next = 1000;

  beforeAll(async () => {
    platform = await Platform.start();
    const port = await freePort();
    const env = { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}/`, MESSAGING_TIER: '100000' };
    service = await startService({ platformUrl: platform.url, env });
    client = new Client(service);
    await platform.subscribed();
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const remove = async (path: string) =>
    expect((await fetch(`${service.api}${path}`, { method: 'DELETE', headers: { 'x-api-key': KEY } })).status).toBe(
      204,
    );
  const newPerson = () => ({ userId: `DE.134912086553027${(next += 1)}`, phone: `4915112${next}01` });
  const send = (fields: object) => client.post('/send-template', { templateName: 'hello_world', ...fields });
  const arrivals = async (person: string) =>
    ((await platform.ledger()) as { to: string }[]).filter(({ to }) => to === person);
  const itemsOf = async (path: string) => (await client.get(path)).body.items as Record<string, unknown>[];
  const tierUsed = async () => (await itemsOf('/senders'))[0]!.tierUsed as number;
  const conversationsOf = async ({ phone, userId }: { phone: string; userId: string }) =>
    (await itemsOf('/conversations?limit=100')).filter(
      (one) => one.contactPhone === phone || one.userId === userId,
    ) as unknown[];
  const jobOf = async (answer: { status: number; body: Json }) => {
    expect(answer.status).toBe(202);
    const path = `/bulk-jobs/${String(answer.body.jobId)}`;
    await until(async () => (await client.get(path)).body.status === 'Completed', 20_000, 'the job has ended');
    return { job: (await client.get(path)).body, recipients: await itemsOf(`${path}/recipients`), path };
  };
  /** The platform names both identities of a message's recipient. */
  const linked = async (message: Json, { phone, userId }: { phone: string; userId: string }) => {
    const status = statusOf({ messageId: message.platformMessageId as string }, 'delivered');
    const named = { ...status, recipient_id: phone, recipient_user_id: userId };
    expect((await postWebhook(service, reportOf([named]))).status).toBe(200);
  };

  it('gets a template', async () => {
    const { userId } = newPerson();
    const { status, body } = await send({ userId });
    expect([status, body]).toEqual([201, expect.objectContaining({ status: 'Sent', to: null, userId })]);
    expect(await arrivals(userId)).toHaveLength(1);
    expect(await itemsOf(`/messages?userId=${userId}`)).toMatchObject([{ contactPhone: null, userId }]);
  });

  it('is rejected together with a number, in another form, and for one-time passwords, before anything is sent', async () => {
    const { userId, phone } = newPerson();
    expectFieldErrors(await send({ userId, to: phone }), { userId: 'invalid' });
    expectFieldErrors(await send({ userId: 'Mira' }), { userId: 'invalid_format' });
    expectFieldErrors(await send({}), { to: 'required' });
    const login = { templateName: 'login_code', templateParameters: texts('123456') };
    expectError(await send({ userId, ...login }), 422, 'recipient_id_not_allowed');
    const list = await client.post('/bulk-jobs', { ...login, recipients: [{ userId, ...login }], dryRun: true });
    expect(list.status).toBe(400);
    const { templateParameters } = login;
    const one = { ...{ templateName: 'login_code' }, recipients: [{ userId, templateParameters }], dryRun: true };
    expect((await client.post('/bulk-jobs', one)).body).toMatchObject({
      errors: [{ rowNumber: 1, field: 'userId', code: 'recipient_id_not_allowed' }],
    });
    expect(await arrivals(userId)).toEqual([]);
  });

  it('gets nothing after an opt-out of the user id', async () => {
    const { userId } = newPerson();
    expect(await client.post('/opt-outs', { userId })).toMatchObject({ status: 201, body: { phone: null, userId } });
    expectError(await send({ userId }), 422, 'recipient_opted_out');
    await remove(`/opt-outs/${userId}`);
    expect((await send({ userId })).status).toBe(201);
  });

  it('is one person with the number once the platform names both', async () => {
    const person = newPerson();
    const { userId, phone } = person;
    const before = await tierUsed();
    const { body } = await send({ userId });
    expect(await tierUsed()).toBe(before + 1);
    await linked(body, person);
    const { body: second } = await send({ to: phone });
    expect(second).toMatchObject({ status: 'Sent', to: phone });
    expect(await tierUsed()).toBe(before + 1);
    const { body: third } = await send({ userId });
    expect(third).toMatchObject({ status: 'Sent', to: phone, userId });
    expect(await tierUsed()).toBe(before + 1);
    expect(await conversationsOf(person)).toHaveLength(1);
    expect(await itemsOf(`/messages?userId=${userId}`)).toHaveLength(3);
    expect(await itemsOf(`/messages?to=${phone}`)).toHaveLength(3);
  });

  it('has one opt-out with the number, whichever opted out, and whenever they are linked', async () => {
    for (const optOut of ['phone', 'userId'] as const) {
      const [linkedBefore, linkedAfter] = [newPerson(), newPerson()];
      await linked((await send({ userId: linkedBefore.userId })).body, linkedBefore);
      await client.post('/opt-outs', { [optOut]: linkedBefore[optOut] });
      const { body } = await send({ userId: linkedAfter.userId });
      await client.post('/opt-outs', { [optOut]: linkedAfter[optOut] });
      await linked(body, linkedAfter);
      for (const { userId, phone } of [linkedBefore, linkedAfter]) {
        expectError(await send({ userId }), 422, 'recipient_opted_out');
        expectError(await send({ to: phone }), 422, 'recipient_opted_out');
      }
    }
  });

  it('gets messages of lists and files, with the user id or the number that belongs to it', async () => {
    const [known, unknown, third] = [newPerson(), newPerson(), newPerson()];
    await linked((await send({ userId: known.userId })).body, known);
    const recipients = [{ userId: known.userId }, { userId: unknown.userId }, { to: third.phone }];
    const list = await jobOf(await client.post('/bulk-jobs', { templateName: 'hello_world', recipients }));
    expect(list.recipients).toMatchObject([
      { errorCode: null, phone: known.phone, userId: known.userId },
      { errorCode: null, phone: null, userId: unknown.userId },
      { errorCode: null, phone: third.phone },
    ]);
    expect(await itemsOf(`${list.path}/recipients?userId=${known.userId}`)).toHaveLength(1);
    const content = `phone\n${known.userId}\n${unknown.userId}\nDE.1 2\n`;
    const file = await jobOf(await client.upload({ name: 'a.csv', content }, { templateName: 'hello_world' }));
    expect(file.recipients).toMatchObject([
      { errorCode: null, phone: known.phone, userId: known.userId },
      { errorCode: null, phone: null, userId: unknown.userId },
      { status: 'Failed', errorCode: 'phone_invalid' },
    ]);
    expect(await arrivals(known.phone)).toHaveLength(2);
    expect(await arrivals(unknown.userId)).toHaveLength(2);
  });

  it('is read from its own column if the row has no number', async () => {
    const [one, two] = [newPerson(), newPerson()];
    const content = `Handy;Kennung\n;${one.userId}\n+${two.phone};${two.userId}\n;Mira\n+${two.phone};Mira\n`;
    const columns = JSON.stringify({ phone: 'Handy', userId: 'Kennung', values: [], flowToken: null });
    const fields = { templateName: 'hello_world', columns };
    const { recipients } = await jobOf(await client.upload({ name: 'a.csv', content }, fields));
    expect(recipients).toMatchObject([
      { errorCode: null, phone: null, userId: one.userId },
      { errorCode: null, phone: two.phone, userId: two.userId },
      { status: 'Failed', errorCode: 'user_id_invalid' },
      { status: 'Failed', errorCode: 'user_id_invalid' },
    ]);
  });

  it('is skipped in a file row with a number after an opt-out of the user id', async () => {
    const [one, two] = [newPerson(), newPerson()];
    await client.post('/opt-outs', { userId: one.userId });
    const content = `Tel;UID\n${one.phone};${one.userId}\n;${one.userId}\n${two.phone};${two.userId}\n`;
    const columns = JSON.stringify({ phone: 'Tel', userId: 'UID', values: [] });
    const fields = { templateName: 'hello_world', columns, onDuplicates: 'keep' };
    const check = await client.upload({ name: 'a.csv', content }, { ...fields, dryRun: 'true' });
    expect(check.body).toMatchObject({ optedOut: 2 });
    const { recipients } = await jobOf(await client.upload({ name: 'a.csv', content }, fields));
    expect(recipients.map(({ status }) => status)).toEqual(['Skipped', 'Skipped', expect.any(String)]);
    expect(await arrivals(one.phone)).toEqual([]);
    expect(await arrivals(two.phone)).toHaveLength(1);
  });

  it('is retried and erased with its data', async () => {
    const person = newPerson();
    const recipients = [{ userId: person.userId, reference: 'K-1' }];
    const held = await client.post('/bulk-jobs', { templateName: 'hello_world', recipients, hold: true });
    await client.post(`/bulk-jobs/${String(held.body.jobId)}/cancel`);
    const retried = await client.post(`/bulk-jobs/${String(held.body.jobId)}/retry`, { scope: 'all' });
    const first = await jobOf(retried);
    expect(first.recipients).toMatchObject([{ errorCode: null, phone: null, userId: person.userId }]);
    const { body: contact } = await client.post('/contacts', { userId: person.userId });
    await remove(`/contacts/${String(contact.id)}?erase=true`);
    await until(
      async () => (await itemsOf(`${first.path}/recipients`))[0]!.phone === '',
      10_000,
      'the recipient is erased',
    );
    expect((await itemsOf(`${first.path}/recipients`))[0]).not.toHaveProperty('userId');
  });
});
