import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readWebhook } from './cloud-api-webhook-protocol';

const FIXTURES = join(__dirname, '../fixtures');
const NOW = new Date('2026-12-01T00:00:00Z');
const NUMBER = '109876543210001';
const WAMID = 'wamid.HBgNNDkxNTExMjM0NTY3OBUCABEYEkM3ODAxNzgyMkY4MzJFMDI0OAA=';

/** The bodies of an example from the platform. */
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

describe('A webhook body', () => {
  it('reports a sent message', () => {
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

  it('reports several changes in order', () => {
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
  ])('reports why a message was not delivered (example %i)', (example, code, message, platformCode) => {
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
  ])('reports the scope of a failure with %i', (code, scope) => {
    expect(oneStatus({ status: 'failed', errors: [{ code }] })).toMatchObject({ status: 'failed', scope });
  });

  it('is accepted in every example, and unused parts are stored', () => {
    const ignored = [18, 19, 20, 21, 22, 23, 24, 25, 26].flatMap((example) => bodiesOf(example).map(ignoredBy));

    expect(ignored.filter((one) => Object.keys(one).length > 0)).toEqual([
      { template_category_update: 1 },
      { account_update: 1 },
      { account_alerts: 1 },
    ]);
  });

  it('stores unused parts unchanged and deduplicated, with their alert', () => {
    const eventsIn = (body: unknown) =>
      read(body).reports.flatMap(({ notices }) =>
        notices.flatMap((notice) => (notice.kind === 'event' ? [notice.event] : [])),
      );
    const [, , , , ban, alert] = bodiesOf(25);

    expect(eventsIn(ban)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/),
        kind: 'account_update',
        businessAccountId: '204876543210002',
        body: expect.stringContaining('"waba_ban_date":"November 25, 2026"'),
        alert: 'DISABLED_UPDATE SCHEDULE_FOR_DISABLE',
      },
    ]);
    expect(eventsIn(alert)).toMatchObject([{ alert: 'BUSINESS WARNING INCREASED_CAPABILITIES_ELIGIBILITY_DEFERRED' }]);
    expect(eventsIn(ban)[0]!.id).toBe(eventsIn(ban)[0]!.id);
    expect(eventsIn(ban)[0]!.id).not.toBe(eventsIn(ban!.replace('1795191400', '1795191401'))[0]!.id);
    expect(eventsIn(bodyWith({ id: 'a', status: 'pondered', x: '\ud800\u0000' }))).toMatchObject([
      { kind: 'status_pondered', body: expect.stringContaining('"id":"a"'), alert: null },
    ]);
  });

  it('limits the size and number of stored events', () => {
    const long = read({ entry: [{ id: '1', changes: [{ field: 'flows', value: { text: 'x'.repeat(100_000) } }] }] });
    const many = read(bodyWith(...Array.from({ length: 500 }, () => ({ status: 'sent' }))));

    expect(long.reports[0]!.notices).toMatchObject([{ event: { body: expect.stringMatching(/^.{16384}$/) } }]);
    expect(many.reports[0]!.notices).toHaveLength(100);
    expect(Object.fromEntries(many.ignored)).toEqual({ status_without_message: 500 });
  });

  it('reports every status of several entries', () => {
    const entry = bodyWith({ id: 'a', status: 'sent' }, { id: 'b', status: 'read' }).entry[0];
    const { reports } = read({ entry: [entry, { ...entry, id: 2 }] });

    expect(reports.map(({ businessAccountId, statuses }) => [businessAccountId, statuses.length])).toEqual([
      ['1', 2],
      ['2', 2],
    ]);
  });

  it('preserves ids of 17 digits, as strings or numbers', () => {
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
    ['not a number', 'soon'],
    ['negative', '-5'],
    ['an object', {}],
  ])('is dated now if its time is %s', (_, timestamp) => {
    expect(oneStatus({ timestamp })?.at).toEqual(NOW);
  });

  it('is read with its time as a string or number, in whole seconds', () => {
    expect(oneStatus({ timestamp: 1_795_190_400.9 })?.at).toEqual(new Date(1_795_190_400_000));
  });

  it('treats a played voice message as read', () => {
    expect(oneStatus({ status: 'played' })?.status).toBe('read');
  });

  it('replaces U+0000 in every text', () => {
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
    ['a code too large for a column', [{ code: 5e9 }], { code: 'platform_rejected', platformCode: null }],
    ['an unknown code', [{ code: 4711 }], { code: 'platform_rejected', platformCode: 4711 }],
    ['invalid errors', ['boom', null, 7], { code: 'platform_rejected', platformCode: null }],
  ])('reports a failure with %s', (_, errors, problem) => {
    const { problem: reported } = oneStatus({ status: 'failed', errors }) ?? {};

    expect(reported).toMatchObject(problem);
    expect(reported?.message).toMatch(/\S/);
  });

  it.each([
    ['null', null, { body_without_entries: 1 }],
    ['a text', '"hello"', { body_without_entries: 1 }],
    ['a list', [], { body_without_entries: 1 }],
    ['nothing', {}, { body_without_entries: 1 }],
    ['invalid entries', { entry: [null, 7, 'x', []] }, { body_without_entries: 1 }],
    ['an empty entry', { entry: [{}] }, { entry_without_changes: 1 }],
    ['a change without a field', { entry: [{ id: '1', changes: [{}] }] }, { unnamed_field: 1 }],
    ['a field with an odd name', { entry: [{ changes: [{ field: 'DROP TABLE' }] }] }, { unnamed_field: 1 }],
    ['a change without a value', { entry: [{ changes: [{ field: 'messages' }] }] }, { change_without_updates: 1 }],
    ['an error alone', { entry: [{ changes: [{ field: 'messages', value: { errors: [{}] } }] }] }, { error: 1 }],
    ['a status without an id', bodyWith({ status: 'sent' }), { status_without_message: 1 }],
    ['a status with an overlong id', bodyWith({ id: 'x'.repeat(513), status: 'sent' }), { status_without_message: 1 }],
    ['an unknown status', bodyWith({ id: 'a', status: 'pondered' }), { status_pondered: 1 }],
    ['a status named like a method', bodyWith({ id: 'a', status: 'constructor' }), { status_constructor: 1 }],
    ['a status without a name', bodyWith({ id: 'a', status: 'not a name' }), { status_without_name: 1 }],
  ])('is no error if it contains %s', (_, body, ignored) => {
    expect(ignoredBy(body)).toEqual(ignored);
    expect(statusesIn(body)).toEqual([]);
  });

  it('ignores unknown parts next to known ones', () => {
    const body = bodyWith({ id: 'a', status: 'sent', conversation: { id: 7 } }, 'odd', { id: 'b', status: 'deleted' });

    expect(statusesIn(body)).toMatchObject([{ platformMessageId: 'a' }]);
    expect(ignoredBy(body)).toEqual({ status_deleted: 1 });
  });

  it('is an error if it is not JSON', () => {
    expect(() => read('{"entry":[')).toThrow(SyntaxError);
    expect(() => read('')).toThrow(SyntaxError);
  });
});
