import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readWebhook } from './cloud-api-webhook-protocol';

const FIXTURES = join(__dirname, '../fixtures');
const NOW = new Date('2026-12-01T00:00:00Z');
const NUMBER = '109876543210001';
const TEMPLATE_WAMID = 'wamid.HBgNNDkxNTExMjM0NTY3OBUCABEYEkM3ODAxNzgyMkY4MzJFMDI0OAA=';
const MIRA = { phone: '4915112345678', userId: 'DE.48120937716640021155', profileName: 'Mira S.' };

const messagesIn = (body: string) => readWebhook(body, NOW).reports.flatMap(({ messages }) => messages);
const messagesOfExample = (example: number) => {
  const name = readdirSync(FIXTURES).find((file) => file.startsWith(`${example}-`))!;
  return messagesIn(readFileSync(join(FIXTURES, name), 'utf8'));
};
const bodyWith = (messages: unknown, contacts?: unknown) =>
  JSON.stringify({
    entry: [
      {
        id: '1',
        changes: [{ field: 'messages', value: { metadata: { phone_number_id: NUMBER }, contacts, messages } }],
      },
    ],
  });
const one = (fields: object, contacts?: unknown) =>
  messagesIn(bodyWith([{ from: '4915112345678', id: 'wamid.1', timestamp: '1795190400', ...fields }], contacts))[0];
const contentOf = (fields: object) => one(fields)?.content;
const ignoredBy = (fields: object, contacts?: unknown) =>
  Object.fromEntries(readWebhook(bodyWith([{ id: 'wamid.1', type: 'text', ...fields }], contacts), NOW).ignored);

describe('An inbound message', () => {
  it('is read with its sender and time (example 18)', () => {
    expect(messagesOfExample(18)).toEqual([
      {
        ...MIRA,
        username: null,
        phoneNumberId: NUMBER,
        platformMessageId: 'wamid.HBgNNDkxNTExMjM0NTY3OBUCABIYFDE2RTk5MEU2ODM1QjY5NkZBOEJBAA==',
        type: 'Text',
        content: { text: 'Wann kommt das Paket? ä' },
        changes: null,
        at: new Date(1_795_190_300_000),
        orderedAt: new Date(1_795_190_300_000),
        timestampMs: 1_795_190_300_000,
      },
    ]);
  });

  it('may be a pressed button of a template (example 19)', () => {
    expect(messagesOfExample(19)).toMatchObject([
      { type: 'Button', content: { text: 'Stop', choice: { id: 'STOP_SHIPPING_NEWS' }, replyTo: TEMPLATE_WAMID } },
    ]);
  });

  it('may be an image (example 20)', () => {
    expect(messagesOfExample(20)).toMatchObject([
      {
        ...MIRA,
        type: 'Image',
        content: {
          text: 'damaged',
          media: {
            mediaId: '900000000000011',
            mimeType: 'image/jpeg',
            sha256: 'n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=',
          },
        },
      },
    ]);
  });

  it('may be a chosen row or a reaction (example 21)', () => {
    expect(messagesOfExample(21)).toMatchObject([
      {
        type: 'Interactive',
        content: { text: '10:00', choice: { id: 'slot-2', description: 'Tomorrow' }, replyTo: TEMPLATE_WAMID },
      },
      { type: 'Reaction', content: { reaction: { platformMessageId: TEMPLATE_WAMID, emoji: '👍' } } },
    ]);
  });

  it('may come from a person with a hidden number, and have an unsupported type (example 22)', () => {
    expect(messagesOfExample(22)).toMatchObject([
      {
        ...MIRA,
        phone: null,
        username: '@mira.s',
        type: 'Unsupported',
        content: {
          kind: 'poll',
          problem: { platformCode: 131051, message: 'Message type unknown: This message type is not supported.' },
        },
      },
    ]);
  });

  it('may report a new number of a person (example 23)', () => {
    expect(messagesOfExample(23)).toMatchObject([
      {
        phone: '4915112345678',
        userId: null,
        profileName: null,
        username: null,
        type: 'System',
        content: { text: 'User Mira S. changed from 4915112345678 to 4915119999999' },
      },
    ]);
  });

  it.each<[string, object, string, object]>([
    ['audio', { type: 'audio', audio: { id: 7, voice: true } }, 'Audio', { media: { mediaId: '7', voice: true } }],
    [
      'a document',
      { type: 'document', document: { id: 'm', filename: 'bill.pdf', mime_type: 'application/pdf' } },
      'Document',
      { media: { mediaId: 'm', fileName: 'bill.pdf', mimeType: 'application/pdf' } },
    ],
    ['a sticker', { type: 'sticker', sticker: { id: 'm', animated: true } }, 'Sticker', { media: { animated: true } }],
    ['a video without an id', { type: 'video', video: {} }, 'Video', { media: { mediaId: null } }],
    [
      'a location',
      { type: 'location', location: { latitude: 52.5, longitude: '13.4', name: 'Station', address: 7, url: null } },
      'Location',
      { location: { latitude: 52.5, longitude: 13.4, name: 'Station', address: '7' } },
    ],
    [
      'contact cards',
      {
        type: 'contacts',
        contacts: [
          { name: { formatted_name: 'Jo Li' }, phones: [{ phone: '+49 151' }, { wa_id: '49152' }, {}, 7] },
          { name: { first_name: 'Ada', last_name: 'L' } },
          'odd',
        ],
      },
      'Contacts',
      {
        contacts: [
          { name: 'Jo Li', phones: ['+49 151', '49152'] },
          { name: 'Ada L', phones: [] },
        ],
      },
    ],
    [
      'a pressed reply button',
      { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } } },
      'Interactive',
      { text: 'Yes', choice: { id: 'yes' } },
    ],
    [
      'a filled form',
      {
        type: 'interactive',
        interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"a":1}' } },
      },
      'Interactive',
      { text: 'Sent', choice: { id: 'flow', form: '{"a":1}' } },
    ],
    [
      'a removed reaction',
      { type: 'reaction', reaction: { message_id: 'wamid.0' } },
      'Reaction',
      { reaction: { platformMessageId: 'wamid.0', emoji: null } },
    ],
    [
      'an order',
      {
        type: 'order',
        order: {
          catalog_id: '5',
          text: 'Soon please',
          product_items: [
            { product_retailer_id: 'p1', quantity: '2', item_price: 9.5, currency: 'EUR' },
            { quantity: {} },
          ],
        },
      },
      'Order',
      {
        text: 'Soon please',
        order: {
          catalogId: '5',
          items: [
            { productId: 'p1', quantity: 2, price: 9.5, currency: 'EUR' },
            { productId: '', quantity: 0, price: null, currency: null },
          ],
        },
      },
    ],
    [
      'a call permission',
      {
        type: 'interactive',
        interactive: { type: 'call_permission_reply', call_permission_reply: { response: 'accept' } },
      },
      'Interactive',
      { choice: { id: 'accept' } },
    ],
    ['an edit of nothing', { type: 'edit', edit: { message: { text: { body: 'a' } } } }, 'Other', { text: 'a' }],
    ['a request for a welcome', { type: 'request_welcome' }, 'Other', { kind: 'request_welcome' }],
    ['an unknown kind', { type: 'hologram', hologram: { caption: 'Look' } }, 'Other', { text: 'Look' }],
    ['a kind named like an object property', { type: 'constructor' }, 'Other', { kind: 'constructor' }],
    ['no kind at all', {}, 'Other', {}],
    [
      'a forwarded message',
      { type: 'text', text: { body: 'a' }, context: { forwarded: true } },
      'Text',
      { forwarded: true },
    ],
    [
      'a reply to an ad',
      {
        type: 'text',
        text: { body: 'a' },
        referral: { source_url: 'https://fb.me/1', source_type: 'ad', headline: 'Sale', ctwa_clid: 'AR1' },
      },
      'Text',
      { referral: { sourceUrl: 'https://fb.me/1', sourceType: 'ad', headline: 'Sale', clickId: 'AR1' } },
    ],
    [
      'a file that is too large',
      { type: 'video', video: {}, errors: [{ code: '131052', title: 'Too large' }] },
      'Video',
      { problem: { platformCode: 131052, message: 'Too large' } },
    ],
  ])('may be %s', (_, fields, type, content) => {
    expect(one(fields)).toMatchObject({ type, content });
  });

  it.each([
    ['of a text', { type: 'text', text: 'odd' }],
    ['of a text', { type: 'text', text: { body: { deep: 1 } } }],
    ['of a location', { type: 'location', location: { latitude: 'north', longitude: Infinity } }],
    ['of a reaction', { type: 'reaction', reaction: { message_id: 'x'.repeat(600) } }],
    ['of the context', { type: 'text', context: { id: [] }, errors: 'none', referral: 7 }],
  ])('is read without the invalid fields %s', (_, fields) => {
    expect(contentOf(fields)).toEqual({});
  });

  it('contains no unstorable or overlong text', () => {
    const text = contentOf({ type: 'text', text: { body: `a\u0000b\ud83d${'x'.repeat(70_000)}` } })!.text!;
    const name = one({ type: 'text' }, [
      { wa_id: '4915112345678', profile: { name: ` ${'😀'.repeat(100)}` } },
    ])!.profileName!;

    expect(text).toMatch(/^a\uFFFDb\uFFFDxxx/);
    expect(text).toHaveLength(65_536);
    expect(name.length).toBeLessThanOrEqual(128);
    for (const one of [text, name]) expect(one).not.toMatch(/\p{Cs}/u);
  });

  it.each([
    ['in the future', '1999999999', NOW, 1_999_999_999_000],
    ['missing', undefined, NOW, 0],
    ['not a number', 'soon', NOW, 0],
    ['a number', 1_795_190_400, new Date(1_795_190_400_000), 1_795_190_400_000],
  ])('is dated now at the latest if its time is %s, and keeps the reported time', (_, timestamp, at, timestampMs) => {
    expect(one({ type: 'text', timestamp })).toMatchObject({ at, timestampMs });
  });

  it('keeps the order of arrival within a second, whether reported immediately or late', () => {
    const positionsOf = (timestamp: string) =>
      messagesIn(bodyWith(['a', 'b', 'c'].map((id) => ({ from: '4915112345678', id, timestamp, type: 'text' })))).map(
        ({ orderedAt }) => orderedAt.getTime(),
      );
    const now = NOW.getTime();
    expect(positionsOf(String(now / 1000 - 2))).toEqual([now, now + 1, now + 2]);
    expect(positionsOf('1795190400')).toEqual([1_795_190_400_000, 1_795_190_400_001, 1_795_190_400_002]);
  });

  describe('identifies its sender', () => {
    const contacts = [
      { wa_id: '551187654321', user_id: 'BR.1', profile: { name: 'Ana' } },
      { wa_id: '4915100000000', user_id: 'DE.2', profile: { name: 'Jo' } },
    ];

    it.each([
      ['the number', { from: '551187654321' }, { phone: '5511987654321', userId: 'BR.1', profileName: 'Ana' }],
      [
        'another form of it',
        { from: '+5511987654321' },
        { phone: '5511987654321', userId: 'BR.1', profileName: 'Ana' },
      ],
      ['the user id', { from: undefined, from_user_id: 'DE.2' }, { phone: '4915100000000', profileName: 'Jo' }],
      [
        'none of several contacts',
        { from: '4915199999999' },
        { phone: '4915199999999', userId: null, profileName: null },
      ],
    ])('by %s', (_, fields, person) => {
      expect(one({ type: 'text', ...fields }, contacts)).toMatchObject(person);
    });

    it('by the only contact, unless it is another person', () => {
      const [ana] = contacts;

      expect(one({ type: 'text', from: undefined }, [ana])).toMatchObject({ phone: '5511987654321', userId: 'BR.1' });
      expect(one({ type: 'text' }, [{ profile: { name: 'Jo' } }])).toMatchObject({ profileName: 'Jo' });
      expect(one({ type: 'text' }, [ana])).toMatchObject({ phone: '4915112345678', userId: null, profileName: null });
    });
  });

  it.each([
    ['an id', { id: undefined, from: '4915112345678' }, 'message_without_id'],
    ['a valid id', { id: 'x'.repeat(513), from: '4915112345678' }, 'message_without_id'],
    ['a sender', {}, 'message_without_sender'],
    ['a valid sender', { from: 'nobody', from_user_id: '4711' }, 'message_without_sender'],
    ['a single recipient, in a group', { from: '4915112345678', group_id: 'g1' }, 'message_of_a_group'],
  ])('is not recorded without %s', (_, fields, kind) => {
    const body = bodyWith([{ id: 'wamid.1', type: 'text', ...fields }]);
    const { messages, notices } = readWebhook(body, NOW).reports[0]!;

    expect(ignoredBy(fields)).toEqual({ [kind]: 1 });
    expect(messages).toEqual([]);
    expect(notices).toMatchObject([{ kind: 'event', event: { kind } }]);
  });

  it.each([
    [
      { type: 'edit', edit: { original_message_id: 'wamid.0', message: { type: 'text', text: { body: 'Better' } } } },
      { type: 'Text', content: { text: 'Better' }, changes: { kind: 'edit', platformMessageId: 'wamid.0' } },
    ],
    [
      { type: 'revoke', revoke: { original_message_id: 'wamid.0' } },
      { type: 'Other', content: {}, changes: { kind: 'revoke', platformMessageId: 'wamid.0' } },
    ],
  ])('references the message that it changes: $type', (wire, read) => {
    const body = bodyWith([{ id: 'wamid.1', from: '4915112345678', ...wire }]);
    expect(readWebhook(body, NOW).reports[0]!.messages).toMatchObject([read]);
  });

  it('may be a call from the person, which opens the window too', () => {
    const metadata = { phone_number_id: NUMBER };
    const call = { id: 'wacid.1', from: '4915112345678', event: 'connect', direction: 'USER_INITIATED' };
    const read = (value: object) =>
      readWebhook(JSON.stringify({ entry: [{ id: '1', changes: [{ field: 'calls', value }] }] }), NOW).reports[0]!;

    expect(read({ metadata, calls: [call] })).toMatchObject({
      messages: [{ platformMessageId: 'wacid.1', phone: '4915112345678', type: 'Other', content: { kind: 'call' } }],
      notices: [],
    });
    for (const other of [{ event: 'terminate' }, { direction: 'BUSINESS_INITIATED' }]) {
      const { messages, notices } = read({ metadata, calls: [{ ...call, ...other }] });
      expect(messages).toEqual([]);
      expect(notices).toMatchObject([{ kind: 'event', event: { kind: 'calls' } }]);
    }
  });

  it('is read together with statuses and unreadable reports', () => {
    const value = {
      metadata: { phone_number_id: NUMBER },
      statuses: [{ id: 'wamid.s', status: 'sent' }],
      messages: [null, 'odd', { id: 'wamid.2', from: '4915112345678', type: 'text', text: { body: 'Hi' } }],
      errors: [{ code: 130429 }],
    };
    const { reports, ignored } = readWebhook(
      JSON.stringify({ entry: [{ id: '1', changes: [{ field: 'messages', value }] }] }),
      NOW,
    );

    expect(reports[0]).toMatchObject({
      statuses: [{ platformMessageId: 'wamid.s' }],
      messages: [{ platformMessageId: 'wamid.2', content: { text: 'Hi' } }],
      notices: [{ kind: 'event', event: { kind: 'error', alert: 'code 130429' } }],
    });
    expect(Object.fromEntries(ignored)).toEqual({ error: 1 });
  });
});
