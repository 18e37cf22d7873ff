import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readWebhook } from './cloud-api-webhook-protocol';

const FIXTURES = join(__dirname, '../fixtures');
const NOW = new Date('2026-12-01T00:00:00Z');
const NUMBER = '109876543210001';
const WAMID = 'wamid.HBgNNDkxNTExMjM0NTY3OBUCABEYEkM3ODAxNzgyMkY4MzJFMDI0OAA=';

/** The bodies of an example of the platform. */
function bodiesOf(example: number): string[] {
  const name = readdirSync(FIXTURES).find((file) => file.startsWith(`${example}-`))!;
  const parsed = JSON.parse(readFileSync(join(FIXTURES, name), 'utf8')) as unknown;
  return (Array.isArray(parsed) ? parsed : [parsed]).map((body) => JSON.stringify(body));
}

const read = (body: unknown) => readWebhook(typeof body === 'string' ? body : JSON.stringify(body), NOW);
const ignoredBy = (body: unknown) => Object.fromEntries(read(body).ignored);
const statusesIn = (body: unknown) => read(body).reports.flatMap(({ statuses }) => statuses);
const bodyWith = (...statuses: unknown[]) => ({
  entry: [{ id: '1', changes: [{ field: 'messages', value: { metadata: { phone_number_id: NUMBER }, statuses } }] }],
});
const oneStatus = (fields: object) =>
  statusesIn(bodyWith({ id: 'wamid.1', status: 'sent', timestamp: '1795190400', ...fields }))[0];

describe('A body of the webhook', () => {
  it('tells that a message was sent', () => {
    const [body] = bodiesOf(14);

    expect(read(body).reports).toEqual([
      {
        businessAccountId: '204876543210002',
        statuses: [
          {
            phoneNumberId: NUMBER,
            platformMessageId: WAMID,
            status: 'sent',
            at: new Date(1_795_190_400_000),
            callbackData: 'job=8f2c;row=412;attempt=1',
            pricing: { billable: true, category: 'utility', type: 'regular' },
            problem: null,
            recipient: null,
            scope: null,
          },
        ],
        messages: [],
        notices: [],
      },
    ]);
    expect(ignoredBy(body)).toEqual({});
  });

  it('tells of several changes at once, in their order', () => {
    expect(statusesIn(bodiesOf(15)[0])).toMatchObject([
      { platformMessageId: WAMID, status: 'read', at: new Date(1_795_190_460_000), callbackData: null },
      { platformMessageId: WAMID, status: 'delivered', at: new Date(1_795_190_402_000), callbackData: null },
    ]);
  });

  it.each([
    [16, 'recipient_unreachable', 'Message undeliverable: Recipient cannot receive this message.', 131026],
    [
      17,
      'marketing_limit_reached',
      'Not delivered to keep engagement healthy: Marketing frequency cap for this person.',
      131049,
    ],
  ])('tells why a message was not delivered (example %i)', (example, code, message, platformCode) => {
    expect(statusesIn(bodiesOf(example)[0])).toMatchObject([
      { status: 'failed', problem: { code, message, platformCode } },
    ]);
  });

  it.each([
    [131042, 'job'],
    [132015, 'job'],
    [190, 'job'],
    [131026, 'recipient'],
    [131053, 'message'],
    [131000, 'recipient'],
    [999_999, 'message'],
  ])('tells what a failure with %i applies to', (code, scope) => {
    expect(oneStatus({ status: 'failed', errors: [{ code }] })).toMatchObject({ status: 'failed', scope });
  });

  it('takes in all that is in the examples, and keeps what nobody acts upon', () => {
    const ignored = [18, 19, 20, 21, 22, 23, 24, 25, 26].flatMap((example) => bodiesOf(example).map(ignoredBy));

    expect(ignored.filter((one) => Object.keys(one).length > 0)).toEqual([
      { template_category_update: 1 },
      { account_update: 1 },
      { account_alerts: 1 },
    ]);
  });

  it('keeps what it does not act upon as it came, the same once, and says how urgent it is', () => {
    const kept = (body: unknown) =>
      read(body).reports.flatMap(({ notices }) =>
        notices.flatMap((notice) => (notice.kind === 'event' ? [notice.event] : [])),
      );
    const [, , , , ban, alert] = bodiesOf(25);

    expect(kept(ban)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/),
        kind: 'account_update',
        businessAccountId: '204876543210002',
        body: expect.stringContaining('"waba_ban_date":"November 25, 2026"'),
        alert: 'DISABLED_UPDATE SCHEDULE_FOR_DISABLE',
      },
    ]);
    expect(kept(alert)).toMatchObject([{ alert: 'BUSINESS WARNING INCREASED_CAPABILITIES_ELIGIBILITY_DEFERRED' }]);
    expect(kept(ban)[0]!.id).toBe(kept(ban)[0]!.id);
    expect(kept(ban)[0]!.id).not.toBe(kept(ban!.replace('1795191400', '1795191401'))[0]!.id);
    expect(kept(bodyWith({ id: 'a', status: 'pondered', x: '\ud800\u0000' }))).toMatchObject([
      { kind: 'status_pondered', body: expect.stringContaining('"id":"a"'), alert: null },
    ]);
  });

  it('keeps no more than the beginning of endless events, and no endless number of them', () => {
    const long = read({ entry: [{ id: '1', changes: [{ field: 'flows', value: { text: 'x'.repeat(100_000) } }] }] });
    const many = read(bodyWith(...Array.from({ length: 500 }, () => ({ status: 'sent' }))));

    expect(long.reports[0]!.notices).toMatchObject([{ event: { body: expect.stringMatching(/^.{16384}$/) } }]);
    expect(many.reports[0]!.notices).toHaveLength(100);
    expect(Object.fromEntries(many.ignored)).toEqual({ status_without_message: 500 });
  });

  it('tells every status of several entries', () => {
    const entry = bodyWith({ id: 'a', status: 'sent' }, { id: 'b', status: 'read' }).entry[0];
    const { reports } = read({ entry: [entry, { ...entry, id: 2 }] });

    expect(reports.map(({ businessAccountId, statuses }) => [businessAccountId, statuses.length])).toEqual([
      ['1', 2],
      ['2', 2],
    ]);
  });

  it('gives ids of 17 digits whole, whether they are text or numbers', () => {
    const body =
      '{"entry":[{"id":20487654321000299,"changes":[{"field":"messages","value":{"metadata":' +
      '{"phone_number_id":10987654321000199},"statuses":[{"id":"wamid.1","status":"sent"}]}}]}]}';

    expect(read(body).reports).toMatchObject([
      { businessAccountId: '20487654321000299', statuses: [{ phoneNumberId: '10987654321000199' }] },
    ]);
  });

  it.each([
    ['in the future', '1999999999'],
    ['missing', undefined],
    ['no number', 'soon'],
    ['negative', '-5'],
    ['an object', {}],
  ])('is of now where its time is %s', (_, timestamp) => {
    expect(oneStatus({ timestamp })?.at).toEqual(NOW);
  });

  it('is read whether its time is text or a number, in whole seconds', () => {
    expect(oneStatus({ timestamp: 1_795_190_400.9 })?.at).toEqual(new Date(1_795_190_400_000));
  });

  it('takes a played voice message for a read one', () => {
    expect(oneStatus({ status: 'played' })?.status).toBe('read');
  });

  it('keeps U+0000 out of every text', () => {
    const errors = [{ code: 131026, message: 'a\u0000', error_data: { details: 'b\u0000' } }];
    const status = oneStatus({ id: 'w\u0000', status: 'failed', biz_opaque_callback_data: 'c\u0000', errors });

    expect(status).toMatchObject({
      platformMessageId: 'w\uFFFD',
      callbackData: 'c\uFFFD',
      problem: { message: 'a\uFFFD: b\uFFFD' },
    });
  });

  it.each([
    ['no errors', undefined, { code: 'platform_rejected', platformCode: null }],
    ['an error without a code', [{ title: 'Odd' }], { code: 'platform_rejected', message: 'Odd', platformCode: null }],
    ['a code as text', [{ code: '131026' }], { code: 'recipient_unreachable', platformCode: 131026 }],
    ['a code that no column holds', [{ code: 5e9 }], { code: 'platform_rejected', platformCode: null }],
    ['an unknown code', [{ code: 4711 }], { code: 'platform_rejected', platformCode: 4711 }],
    ['errors that are none', ['boom', null, 7], { code: 'platform_rejected', platformCode: null }],
  ])('says what is known of a failure with %s', (_, errors, problem) => {
    const { problem: told } = oneStatus({ status: 'failed', errors }) ?? {};

    expect(told).toMatchObject(problem);
    expect(told?.message).toMatch(/\S/);
  });

  it.each([
    ['null', null, { body_without_entries: 1 }],
    ['a text', '"hello"', { body_without_entries: 1 }],
    ['a list', [], { body_without_entries: 1 }],
    ['nothing', {}, { body_without_entries: 1 }],
    ['entries that are none', { entry: [null, 7, 'x', []] }, { body_without_entries: 1 }],
    ['an empty entry', { entry: [{}] }, { entry_without_changes: 1 }],
    ['a change without a field', { entry: [{ id: '1', changes: [{}] }] }, { unnamed_field: 1 }],
    ['a field with an odd name', { entry: [{ changes: [{ field: 'DROP TABLE' }] }] }, { unnamed_field: 1 }],
    ['a change without a value', { entry: [{ changes: [{ field: 'messages' }] }] }, { change_without_updates: 1 }],
    ['an error alone', { entry: [{ changes: [{ field: 'messages', value: { errors: [{}] } }] }] }, { error: 1 }],
    ['a status without an id', bodyWith({ status: 'sent' }), { status_without_message: 1 }],
    ['a status with an endless id', bodyWith({ id: 'x'.repeat(513), status: 'sent' }), { status_without_message: 1 }],
    ['a status that does not exist yet', bodyWith({ id: 'a', status: 'pondered' }), { status_pondered: 1 }],
    ['a status named like a method', bodyWith({ id: 'a', status: 'constructor' }), { status_constructor: 1 }],
    ['a status without a name', bodyWith({ id: 'a', status: 'not a name' }), { status_without_name: 1 }],
  ])('is no error when it holds %s', (_, body, ignored) => {
    expect(ignoredBy(body)).toEqual(ignored);
    expect(statusesIn(body)).toEqual([]);
  });

  it('lets what it does not know stand beside what it knows', () => {
    const body = bodyWith({ id: 'a', status: 'sent', conversation: { id: 7 } }, 'odd', { id: 'b', status: 'deleted' });

    expect(statusesIn(body)).toMatchObject([{ platformMessageId: 'a' }]);
    expect(ignoredBy(body)).toEqual({ status_deleted: 1 });
  });

  it('is an error when it is no JSON', () => {
    expect(() => read('{"entry":[')).toThrow(SyntaxError);
    expect(() => read('')).toThrow(SyntaxError);
  });
});
