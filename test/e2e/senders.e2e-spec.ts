import type { BulkJobDetailDto } from '../../libs/client/generated/types.gen';
import { Client, type Json } from '../support/process/client';
import { listOf, newPhones } from '../support/process/bulk';
import { expectError } from '../support/process/errors';
import { type Accepted, Platform } from '../support/process/platform';
import { type Service, startService, until } from '../support/process/service';
import { freePort } from '../support/free-port';
import { FIRST_SENDER } from '../support/process/webhook';

const UNKNOWN = '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11';
const SECOND = { phoneNumberId: '700000000000002', businessAccountId: FIRST_SENDER.businessAccountId };
const FOURTH = { phoneNumberId: '700000000000004', businessAccountId: FIRST_SENDER.businessAccountId };
const THIRD = { phoneNumberId: '700000000000003', businessAccountId: '800000000000003' };

describe('An account with several senders', () => {
  let platform: Platform;
  let service: Service;
  let client: Client;
  let accountId: string;
  let ids: { first: string; second: string; third: string };
  const phones = newPhones();

  beforeAll(async () => {
    platform = await Platform.start({ senders: [SECOND, THIRD, FOURTH], statusDelayMs: 20 });
    const port = await freePort();
    const env = { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` };
    service = await startService({ platformUrl: platform.url, env });
    client = new Client(service);
    accountId = (await client.get('/me')).body.account.id as string;
    const add = async (sender: object) => {
      const { status, body } = await client.post(`/accounts/${accountId}/senders`, sender);
      expect(status).toBe(201);
      return body.id as string;
    };
    const [second, third] = [await add(SECOND), await add(THIRD)];
    const { items } = (await client.get(`/accounts/${accountId}/senders`)).body;
    ids = { first: items[0].id as string, second, third };
    expect((await client.post('/templates/sync', {})).body).toMatchObject({ complete: true });
    await platform.subscribed();
  });

  afterAll(async () => {
    await service?.stop();
    await service?.store.drop();
    await platform?.close();
  });

  const entriesOf = async (to: string): Promise<Accepted[]> =>
    (await platform.ledger()).filter((entry) => entry.to.replace('+', '') === to);
  const senderOf = async (to: string) => (await entriesOf(to)).map(({ phoneNumberId }) => phoneNumberId);
  const sentFrom = async (to: string, phoneNumberId: string) => {
    await until(async () => (await entriesOf(to)).length > 0, 10_000, 'the message is accepted');
    expect(await senderOf(to)).toEqual([phoneNumberId]);
  };
  const send = (body: object, headers = {}) =>
    client.call('POST', '/send-template', { body: { templateName: 'hello_world', ...body }, headers });
  const jobOf = async (answer: Promise<{ status: number; body: Json }>): Promise<string> => {
    const { status, body } = await answer;
    expect([status, body.code]).toEqual([202, undefined]);
    return body.jobId as string;
  };
  const completed = (jobId: string) =>
    until(async () => (await client.get(`/bulk-jobs/${jobId}`)).body.status === 'Completed', 60_000, 'the job ends');

  it('lists them with their ids, the default first', async () => {
    const { items } = (await client.get('/senders')).body;
    expect(items).toMatchObject([
      { id: ids.first, default: true, phoneNumberId: FIRST_SENDER.phoneNumberId },
      { id: ids.second, default: false, phoneNumberId: SECOND.phoneNumberId },
      { id: ids.third, default: false, phoneNumberId: THIRD.phoneNumberId },
    ]);
  });

  it('sends one message from the requested sender, or from the default', async () => {
    const [one, two] = phones(2) as [string, string];
    expect((await send({ to: one })).status).toBe(201);
    const { body } = await send({ to: two, senderId: ids.second });
    await sentFrom(one, FIRST_SENDER.phoneNumberId);
    await sentFrom(two, SECOND.phoneNumberId);
    expect((await client.get(`/messages/${body.messageId}`)).body.senderId).toBe(ids.second);
    expectError(await send({ to: one, senderId: UNKNOWN }), 404, 'sender_not_found');
    expectError(await send({ to: one, senderId: 'x' }), 400, 'validation_failed');
  });

  it('treats another sender under the same idempotency key as another request', async () => {
    const [to] = phones(1);
    const headers = { 'idempotency-key': 'one-sender' };
    const first = await send({ to, senderId: ids.second }, headers);
    expect((await send({ to, senderId: ids.second }, headers)).body).toEqual(first.body);
    expectError(await send({ to, senderId: ids.third }, headers), 422, 'idempotency_mismatch');
    expectError(await send({ to }, headers), 422, 'idempotency_mismatch');
  });

  it('sends files, lists and groups from it, and retries them from it', async () => {
    const [file, list, member, bad] = phones(4) as [string, string, string, string];
    const senderId = ids.second;
    const fields = { templateName: 'hello_world', senderId };
    const imported = await jobOf(client.upload(listOf([file]), fields));
    await sentFrom(file, SECOND.phoneNumberId);
    await completed(imported);
    expect((await client.get(`/bulk-jobs/${imported}`)).body.senderId).toBe(senderId);

    const refused = `${bad.slice(0, -4)}0002`;
    const listed = await jobOf(client.post('/bulk-jobs', { ...fields, recipients: [{ to: list }, { to: refused }] }));
    await sentFrom(list, SECOND.phoneNumberId);
    await completed(listed);
    const before = (await platform.stats()).phoneNumbers[SECOND.phoneNumberId]!.arrivals;
    await completed(await jobOf(client.post(`/bulk-jobs/${listed}/retry`, {})));
    const { phoneNumbers } = await platform.stats();
    expect(phoneNumbers[SECOND.phoneNumberId]!.arrivals).toBeGreaterThan(before);

    const { body: group } = await client.post('/groups', { name: 'Members' });
    await client.post(`/groups/${group.id}/contacts`, { contacts: [{ phone: member }] });
    const toGroup = { templateName: 'hello_world', groupId: group.id, senderId: ids.third };
    await jobOf(client.post('/send-template-to-group', toGroup));
    await sentFrom(member, THIRD.phoneNumberId);
    const unknown = { ...fields, senderId: UNKNOWN };
    expectError(await client.upload(listOf([file]), unknown), 404, 'sender_not_found');
  });

  it('shares templates within a business account only', async () => {
    const draft = { name: 'third_only', languageCode: 'en_US', category: 'Utility', body: { text: 'Only the third.' } };
    const created = await client.post('/templates', { ...draft, senderId: ids.third });
    expect(created.status).toBe(201);
    expect((await client.post('/templates', { ...draft, senderId: null, dryRun: true })).status).toBe(200);
    const [to] = phones(1);
    const approved = async () => (await send({ to, templateName: draft.name, senderId: ids.third })).status === 201;
    await until(approved, 15_000, 'the template is approved');
    const refused = await send({ to, templateName: draft.name, senderId: ids.second });
    expectError(refused, 422, 'template_of_other_sender');
    expectError(await send({ to, templateName: draft.name }), 422, 'template_of_other_sender');

    const named = async (senderId: string) =>
      (await client.get(`/templates?search=third_only&senderId=${senderId}`)).body.items as object[];
    expect(await named(ids.second)).toEqual([]);
    expect(await named(ids.third)).toMatchObject([{ businessAccountId: THIRD.businessAccountId }]);
    const sync = (await client.post('/templates/sync', {})).body;
    expect(sync).toMatchObject({ complete: true, removed: 0 });
  });

  it('replies from the sender that the person wrote to last', async () => {
    const [from] = phones(1) as [string];
    const writes = async (phoneNumberId: string, senderId: string): Promise<string> => {
      const body = JSON.stringify({ from, text: 'Hello', phoneNumberId });
      expect((await fetch(`${platform.url}/sandbox/inbound`, { method: 'POST', body })).ok).toBe(true);
      let conversation: Json = null;
      const isKnown = async () => {
        [conversation] = (await client.get(`/conversations?search=${from}`)).body.items as Json[];
        return conversation?.senderId === senderId;
      };
      await until(isKnown, 10_000, 'the conversation came to the sender');
      return conversation.id as string;
    };
    const id = await writes(SECOND.phoneNumberId, ids.second);
    const reply = (body: object) => client.post(`/conversations/${id}/messages`, body);
    const first = await reply({ text: 'One' });
    expect(first.status).toBe(201);
    await writes(THIRD.phoneNumberId, ids.third);
    const replyTo = first.body.messageId as string;
    const quoted = await reply({ text: 'Two', replyTo });
    expect(expectError(quoted, 422, 'message_of_other_sender').message).toContain('replyTo');
    const reacted = await reply({ type: 'Reaction', reaction: { messageId: replyTo, emoji: '👍' } });
    expect(expectError(reacted, 422, 'message_of_other_sender').message).toContain('reaction.messageId');
    const [latest] = (await client.get(`/conversations/${id}/messages`)).body.items as { id: string }[];
    expect((await reply({ text: 'Two', replyTo: latest!.id })).status).toBe(201);
    expect(await senderOf(from)).toEqual([SECOND.phoneNumberId, THIRD.phoneNumberId]);
    const { items } = (await client.get(`/conversations/${id}/messages`)).body;
    expect((items as { senderId: string }[]).map(({ senderId }) => senderId)).toEqual([
      ...[ids.third, ids.third],
      ...[ids.second, ids.second],
    ]);
  });

  it('counts an opt-out for all of them', async () => {
    const [phone] = phones(1);
    expect((await client.post('/opt-outs', { phone })).status).toBe(201);
    for (const senderId of Object.values(ids)) {
      expectError(await send({ to: phone, senderId }), 422, 'recipient_opted_out');
    }
  });

  it('deletes one: its work stops, its history stays, and the platform no longer reports on it', async () => {
    const [from, to, waiting] = phones(3) as [string, string, string];
    const body = JSON.stringify({ from, text: 'Hello', phoneNumberId: THIRD.phoneNumberId });
    await fetch(`${platform.url}/sandbox/inbound`, { method: 'POST', body });
    const isSubscribed = async () => (await platform.subscriptions(THIRD.businessAccountId)).length > 0;
    await until(isSubscribed, 10_000, 'the business account is subscribed');
    const sent = (await send({ to, senderId: ids.third })).body;
    const fields = { templateName: 'hello_world', senderId: ids.third, recipients: [{ to: waiting }] };
    const held = await jobOf(client.post('/bulk-jobs', { ...fields, hold: true }));
    const paced = { ...fields, recipients: phones(300).map((one) => ({ to: one })) };
    const path = `/accounts/${accountId}/senders/${ids.third}`;
    expect((await client.call('PATCH', path, { body: { messagesPerSecond: 20 } })).status).toBe(200);
    const running = await jobOf(client.post('/bulk-jobs', paced));
    const conversation = async () =>
      (await client.get(`/conversations?search=${from}`)).body.items[0] as { id: string; senderId: string } | undefined;
    await until(async () => (await conversation())?.senderId === ids.third, 10_000, 'the message has arrived');

    expectError(await client.call('DELETE', `/accounts/${accountId}/senders/${ids.first}`), 409, 'default_sender');
    expect((await client.call('DELETE', path)).status).toBe(204);
    const job = async () => (await client.get(`/bulk-jobs/${running}`)).body as BulkJobDetailDto;
    await until(async () => (await job()).status === 'Paused', 10_000, 'the job is paused');
    expect((await job()).pauseReason).toMatchObject({ code: 'sender_deleted' });
    const accepted = (await platform.stats()).phoneNumbers[THIRD.phoneNumberId]!.accepted;
    expect(accepted).toBeLessThan(300);

    expectError(await send({ to, senderId: ids.third }), 404, 'sender_not_found');
    for (const id of [held, running]) {
      expectError(await client.post(`/bulk-jobs/${id}/resume`, {}), 409, 'sender_deleted');
    }
    const conversationId = (await conversation())!.id;
    expectError(await client.post(`/conversations/${conversationId}/messages`, { text: 'Hi' }), 409, 'sender_deleted');
    expect((await client.get(`/messages/${sent.messageId}`)).body.senderId).toBe(ids.third);
    expect((await client.get('/senders')).body.items).toHaveLength(2);
    await until(async () => !(await isSubscribed()), 10_000, 'the subscription is returned');
    expect(await platform.subscriptions(SECOND.businessAccountId)).not.toEqual([]);

    expect((await client.post(`/bulk-jobs/${running}/cancel`, {})).status).toBe(200);
    await until(async () => (await job()).allowedActions.includes('retry'), 10_000, 'the job can be retried');
    expectError(await client.post(`/bulk-jobs/${running}/retry`, {}), 409, 'sender_deleted');
    await completed(await jobOf(client.post(`/bulk-jobs/${running}/retry`, { senderId: ids.second })));
    expect((await platform.stats()).phoneNumbers[THIRD.phoneNumberId]!.accepted).toBe(accepted);
  });

  it('quotes what came to a number before it was deleted and added again', async () => {
    const [from] = phones(1) as [string];
    const added = async () => (await client.post(`/accounts/${accountId}/senders`, FOURTH)).body.id as string;
    const received = async (text: string) => {
      const body = JSON.stringify({ from, text, phoneNumberId: FOURTH.phoneNumberId });
      expect((await fetch(`${platform.url}/sandbox/inbound`, { method: 'POST', body })).ok).toBe(true);
      let found: { id: string; conversationId: string } | undefined;
      const isThere = async () => {
        const [conversation] = (await client.get(`/conversations?search=${from}`)).body.items as { id: string }[];
        const { items } = (await client.get(`/conversations/${conversation!.id}/messages`)).body;
        found = (items as { id: string; conversationId: string; renderedText: string }[]).find(
          ({ renderedText }) => renderedText === text,
        );
        return found !== undefined;
      };
      await until(isThere, 10_000, 'the message has arrived');
      return found!;
    };
    const before = await added();
    const { id: replyTo, conversationId } = await received('First');
    expect((await client.call('DELETE', `/accounts/${accountId}/senders/${before}`)).status).toBe(204);
    expect(await added()).not.toBe(before);
    await received('Second');
    const reply = await client.post(`/conversations/${conversationId}/messages`, { text: 'Yes', replyTo });
    expect(reply.status).toBe(201);
  });

  it('makes another one the default', async () => {
    const path = `/accounts/${accountId}/senders/${ids.second}`;
    expect((await client.call('PATCH', path, { body: { default: true } })).body).toMatchObject({ default: true });
    const [to] = phones(1) as [string];
    expect((await send({ to })).status).toBe(201);
    await sentFrom(to, SECOND.phoneNumberId);
  });
});
